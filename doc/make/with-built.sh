#!/bin/sh
# with-built.sh SOURCE BUILD FOLDER COMMAND...: runs a command as if the built meshwork were installed.  The command
# finds meshwork and the compiler $CC by $PATH, and kernels and pkg-config by the environment.  FOLDER gets the files
# for that. Runs are not tuned: tuning would take longer than the computations, and results do not depend on it.
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
