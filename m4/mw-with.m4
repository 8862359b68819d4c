# MW_WITH(NAME, WHAT, MODULE, LIBRARIES, HEADER, INCLUDES, BODY, [FURTHER-PREFIXES])
#
# An optional part: --with-NAME[=PREFIX] | --without-NAME.  It is there when a program of INCLUDES and BODY compiles
# and links in the current language.  Looked for by pkg-config's MODULE, then in each of FURTHER-PREFIXES, then by
# LIBRARIES where the compiler looks of itself; a PREFIX given by the user is the only place, and holds include/HEADER;
# NAME_CFLAGS and NAME_LIBS, given by the user, are taken as they are.  Asked for and not found is an error.
#
# Sets have_NAME (yes or no), with where_NAME for the summary; substitutes NAME_CFLAGS and NAME_LIBS; defines HAVE_NAME
# for config.h and for Automake.
# SPDX-License-Identifier: MIT
AC_DEFUN([MW_WITH], [
m4_pushdef([mw_NAME], m4_toupper([$1]))dnl
AC_ARG_WITH([$1],
    [AS_HELP_STRING([--with-$1@<:@=PREFIX@:>@], [use $2, found below PREFIX (default: used where found)])
AS_HELP_STRING([--without-$1], [do without $2])], [], [with_$1=auto])
AC_ARG_VAR(mw_NAME[_CFLAGS], [compiler flags for $2])
AC_ARG_VAR(mw_NAME[_LIBS], [linker flags for $2])
have_$1=no where_$1=
AS_CASE([$with_$1],
    [no],       [mw_places=],
    [auto|yes], [mw_places="pkg-config $8 default"],
    [mw_places=$with_$1])
AS_IF([test "x$with_$1" != xno && test "x$mw_NAME[]_CFLAGS$mw_NAME[]_LIBS" != x], [mw_places=given])
AC_MSG_CHECKING([for $2])
mw_save_CPPFLAGS=$CPPFLAGS mw_save_LIBS=$LIBS
for mw_place in $mw_places; do
    mw_rpath=
    AS_CASE([$mw_place],
        [given], [mw_cflags=$mw_NAME[]_CFLAGS mw_libs=$mw_NAME[]_LIBS],
        [pkg-config], [
            m4_ifval([$3], [test -n "$PKG_CONFIG" && $PKG_CONFIG --exists $3 >&AS_MESSAGE_LOG_FD 2>&1], [false]) ||
                continue
            mw_cflags=`$PKG_CONFIG --cflags $3` mw_libs=`$PKG_CONFIG --libs $3`],
        [default], [mw_cflags= mw_libs="$4"],
        [
            test -f "$mw_place/include/$5" || continue
            mw_cflags="-I$mw_place/include" mw_libs="$4"
            for mw_lib in lib64 lib; do
                AS_IF([test -d "$mw_place/$mw_lib"],
                    [mw_libs="-L$mw_place/$mw_lib $mw_libs" mw_rpath="-R$mw_place/$mw_lib $mw_rpath"])
            done
        ])
    CPPFLAGS="$mw_save_CPPFLAGS $mw_cflags" LIBS="$mw_libs $mw_save_LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([$6], [$7])],
        [have_$1=yes mw_NAME[]_CFLAGS=$mw_cflags mw_NAME[]_LIBS="$mw_libs $mw_rpath" where_$1=$mw_place; break])
done
CPPFLAGS=$mw_save_CPPFLAGS LIBS=$mw_save_LIBS
AC_MSG_RESULT([$have_$1])
AS_IF([test $have_$1 = yes],
    [AC_DEFINE([HAVE_]mw_NAME, [1], [Define to 1 when built with $2.])],
    [
        mw_NAME[]_CFLAGS= mw_NAME[]_LIBS=
        AS_CASE([$with_$1], [no], [where_$1="switched off"], [auto], [where_$1="not found"],
            [AC_MSG_ERROR([$2 was asked for by --with-$1=$with_$1 and is not there, or does not link (see config.log):
install its development files, give its place as --with-$1=PREFIX, or use --without-$1])])
    ])
AM_CONDITIONAL([HAVE_]mw_NAME, [test $have_$1 = yes])
m4_popdef([mw_NAME])dnl
])

# MW_FLAGS(VARIABLE, FLAG...): appends to VARIABLE each flag that the C compiler takes without a warning.
AC_DEFUN([MW_FLAGS], [
mw_save_CFLAGS=$CFLAGS
for mw_flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $mw_flag])
    CFLAGS="$mw_save_CFLAGS -Werror $mw_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
        [AC_MSG_RESULT([yes]); $1="$$1 $mw_flag"], [AC_MSG_RESULT([no])])
done
CFLAGS=$mw_save_CFLAGS
AC_SUBST([$1])
])
