/* Checksums of files. */
#include <meshwork/file.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { PIECE = 1 << 16 };

int mw_file_checksum(const char *path, uint64_t *checksum)
{
    const int file = open(!strcmp(path, "-") ? "/dev/stdin" : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char bytes[PIECE];
    struct mw_hasher hasher;
    struct stat status;
    size_t got = PIECE;
    int rc = 0;

    if (file < 0 || fstat(file, &status) != 0) {
        rc = mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
        goto out;
    }
    if (!S_ISREG(status.st_mode)) {
        rc = mw_fail(MW_EINVAL, "%s is no regular file: it has no checksum", path);
        goto out;
    }
    mw_hasher_start(&hasher, 0);
    while (got == PIECE) {
        if (!mw_read_fully(file, bytes, PIECE, &got)) {
            rc = mw_fail(MW_EIO, "cannot read %s: %s", path, strerror(errno));
            goto out;
        }
        mw_hasher_add(&hasher, bytes, got);
    }
    *checksum = mw_hasher_end(&hasher);
out:
    if (file >= 0)
        close(file);
    return rc;
}
/* SPDX-License-Identifier: MIT */
