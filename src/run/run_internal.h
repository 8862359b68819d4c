/* The time loop: declarations shared by run.c, the checkpoints and series.c.  Internal. */
#ifndef MW_RUN_INTERNAL_H
#define MW_RUN_INTERNAL_H

#include <meshwork/run.h>

/* Position of a series: its bytes and their XXH64. */
struct mw_series_position {
    uint64_t bytes, hash;
};

/* State of the loop in a checkpoint. */
struct mw_run_position {
    uint64_t step;
    uint64_t observed; /* last step observed on schedule; MW_NEVER: none */
    bool has_series;
    struct mw_series_position series;
};
#define MW_NEVER UINT64_MAX

/* The format is described in run.h. */
#define MW_CHECKPOINT_MAGIC "\x93MWCHECK"
#define MW_CHECKPOINT_MAGIC_LENGTH 8
#define MW_CHECKPOINT_HEAD_LENGTH 12 /* head of a record: lengths of name and data */
#define MW_CHECKPOINT_SUM_LENGTH 8
#define MW_CHECKPOINT_NAME_MAX 63
#define MW_CHECKPOINT_VERSION 1
#define MW_CHECKPOINT_ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big")

/* Kinds of files in the place of a checkpoint. */
enum mw_checkpoint_kind {
    MW_CHECKPOINT_MISSING, /* or empty */
    MW_CHECKPOINT_SOUND,
    MW_CHECKPOINT_DAMAGED,    /* truncated or changed */
    MW_CHECKPOINT_UNREADABLE, /* other version or byte order, or currently unreadable */
    MW_CHECKPOINT_OTHER       /* any other file */
};

/* Opens one file, ignoring other generations.  Sets *kind in every case. */
int mw_checkpoint_open_one(const char *path, struct mw_checkpoint **checkpoint, enum mw_checkpoint_kind *kind);
/* The same without verifying the checksum, so that changed bytes go unnoticed.  Fails unless the file is sound. */
int mw_checkpoint_look(const char *path, enum mw_checkpoint_kind *kind);
/* Writes a checkpoint of the simulation and keeps the previous one.  *ours: this process wrote the present file;
 * otherwise that is verified before it replaces an older one, which may be the only sound one. */
int mw_checkpoint_write(const char *path, const struct mw_run_simulation *simulation, const struct mw_setting *settings,
                        const struct mw_run_position *position, bool *ours);
const struct mw_run_position *mw_checkpoint_position(const struct mw_checkpoint *checkpoint);

/* Returns false for standard output, where no later run can continue. */
bool mw_series_is_file(const struct mw_series *series);
/* Creates the file anew with its titles, for rows from `step` on.  MW_EDATA: the present file is no series, or has rows
 * of earlier steps. */
int mw_series_start(struct mw_series *series, uint64_t step);
/* Checks that the file had this position, and truncates it there. */
int mw_series_resume(struct mw_series *series, const struct mw_series_position *position);
/* Writes all rows to disk and returns the position. */
int mw_series_sync(struct mw_series *series, struct mw_series_position *position);
/* Writes all rows to disk and closes the file. */
int mw_series_finish(struct mw_series *series);

#endif
/* SPDX-License-Identifier: MIT */
