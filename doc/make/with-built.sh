#!/bin/sh
# with-built.sh SOURCE BUILD FOLDER COMMAND...: runs a command for which the meshwork that was built is installed: the
# command by $PATH, kernels, pkg-config and the compiler that it was built with, as $CC says.  FOLDER is for that.
# Nothing is tuned, which would take longer than what there is to compute, and says the same.
# SPDX-License-Identifier: MIT
set -eu
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
mkdir -p "$3"
folder=$(cd "$3" && pwd)
shift 3
: "${MESHWORK:=$build/tools/meshwork}"
cat >"$folder/meshwork" <<END
#!/bin/sh
case \$1 in
    run) exec '$MESHWORK' "\$@" --no-tune ;;
    *) exec '$MESHWORK' "\$@" ;;
esac
END
cat >"$folder/cc" <<END
#!/bin/sh
PATH=\${PATH#*:} exec ${CC:-cc} "\$@"
END
cat >"$folder/meshwork.pc" <<END
Name: meshwork
Description: as it was built
Version: 0
Cflags: -I$source/include
Libs: -L$build/.libs -Wl,-rpath,$build/.libs -lmeshwork
END
chmod +x "$folder/meshwork" "$folder/cc"
PATH=$folder:$PATH PKG_CONFIG_PATH=$folder MESHWORK_KERNEL_PATH=$source/cl
export PATH PKG_CONFIG_PATH MESHWORK_KERNEL_PATH
exec "$@"
