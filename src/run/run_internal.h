/* The time loop: declarations shared by run.c, the checkpoints and series.c.  Internal. */
#ifndef MW_RUN_INTERNAL_H
#define MW_RUN_INTERNAL_H

#include <meshwork/run.h>

/* Position in the file of a series: number of bytes up to it, and their XXH64. */
struct mw_series_position {
    uint64_t bytes, hash;
};

/* The state of the time loop that a checkpoint stores. */
struct mw_run_position {
    uint64_t step;
    uint64_t observed; /* last step observed on schedule; MW_NEVER: none */
    bool has_series;
    struct mw_series_position series;
};
#define MW_NEVER UINT64_MAX

/* First bytes of a checkpoint; run.h describes the format. */
#define MW_CHECKPOINT_MAGIC "\x93MWCHECK"
#define MW_CHECKPOINT_MAGIC_LENGTH 8 /* bytes */
#define MW_CHECKPOINT_HEAD_LENGTH 12 /* bytes of the head of a record: lengths of name and data */
#define MW_CHECKPOINT_SUM_LENGTH 8   /* bytes of the checksum at the end */
#define MW_CHECKPOINT_NAME_MAX 63    /* maximum bytes of a record's name */
#define MW_CHECKPOINT_VERSION 1      /* version of the format */
/* Byte order of this machine, as stored in a checkpoint. */
#define MW_CHECKPOINT_ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big")

/* What a file at the path of a checkpoint is. */
enum mw_checkpoint_kind {
    MW_CHECKPOINT_MISSING,    /* there is none, or it is empty */
    MW_CHECKPOINT_SOUND,      /* complete, with a correct checksum */
    MW_CHECKPOINT_DAMAGED,    /* truncated or changed */
    MW_CHECKPOINT_UNREADABLE, /* other version or byte order, or currently unreadable */
    MW_CHECKPOINT_OTHER       /* any other file */
};

/* Opens the checkpoint at exactly this path, without trying its previous generation.  Sets *kind also on failure. */
int mw_checkpoint_open_one(const char *path, struct mw_checkpoint **checkpoint, enum mw_checkpoint_kind *kind);
/* Determines the kind of a file without verifying its checksum, so that changed bytes go unnoticed.  Fails unless the
 * kind is MW_CHECKPOINT_SOUND; sets *kind in every case. */
int mw_checkpoint_look(const char *path, enum mw_checkpoint_kind *kind);
/* Writes a checkpoint of the simulation, and keeps the present file as the previous generation.  *ours: this process
 * wrote the present file.  Otherwise that file is verified first, since the previous generation may be the only sound
 * one. */
int mw_checkpoint_write(const char *path, const struct mw_run_simulation *simulation, const struct mw_setting *settings,
                        const struct mw_run_position *position, bool *ours);
/* Returns the state of the time loop in an open checkpoint, which owns it. */
const struct mw_run_position *mw_checkpoint_position(const struct mw_checkpoint *checkpoint);

/* Returns whether a series is a file, which a resumed run can continue, and not standard output. */
bool mw_series_is_file(const struct mw_series *series);
/* Creates the file of a series with its titles, for rows from `step` on; replaces an existing one.  MW_EDATA: the
 * existing file is no series, or has rows of earlier steps. */
int mw_series_start(struct mw_series *series, uint64_t step);
/* Truncates the file of a series at a position, to continue it there.  Fails if the bytes up to there differ from those
 * of the position. */
int mw_series_resume(struct mw_series *series, const struct mw_series_position *position);
/* Writes all rows of a series to disk, and stores the position of its end. */
int mw_series_sync(struct mw_series *series, struct mw_series_position *position);
/* Writes all rows of a series to disk, and closes its file. */
int mw_series_finish(struct mw_series *series);

#endif
/* SPDX-License-Identifier: MIT */
