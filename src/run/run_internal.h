/* The time loop: what run.c, checkpoint.c and series.c share. */
#ifndef MW_RUN_INTERNAL_H
#define MW_RUN_INTERNAL_H

#include <meshwork/run.h>

/* How far a series had come: its bytes, and their XXH64. */
struct mw_series_position { uint64_t bytes, hash; };

/* What the loop itself keeps in a checkpoint. */
struct mw_run_position {
    uint64_t step;
    uint64_t observed;           /* the last step that was observed on schedule; MW_NEVER: none */
    bool has_series;
    struct mw_series_position series;
};
#define MW_NEVER UINT64_MAX

/* The format that run.h describes. */
#define MW_CHECKPOINT_MAGIC "\x93MWCHECK"
#define MW_CHECKPOINT_MAGIC_LENGTH 8
#define MW_CHECKPOINT_HEAD_LENGTH 12 /* of a record: the lengths of name and data */
#define MW_CHECKPOINT_SUM_LENGTH 8
#define MW_CHECKPOINT_NAME_MAX 63
#define MW_CHECKPOINT_VERSION 1
#define MW_CHECKPOINT_ORDER (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "little" : "big")

/* What a file is that a checkpoint may replace. */
enum mw_checkpoint_kind {
    MW_CHECKPOINT_MISSING,       /* or empty */
    MW_CHECKPOINT_SOUND,
    MW_CHECKPOINT_DAMAGED,       /* cut short or changed */
    MW_CHECKPOINT_UNREADABLE,    /* of another version or byte order; or it cannot be read now */
    MW_CHECKPOINT_OTHER          /* a file of something else */
};

/* One file, without a look at any other generation.  *kind is set in every case. */
int mw_checkpoint_open_one(const char *path, struct mw_checkpoint **checkpoint, enum mw_checkpoint_kind *kind);
/* The same without reading the file through: changed bytes go unnoticed.  Fails unless it is sound. */
int mw_checkpoint_look(const char *path, enum mw_checkpoint_kind *kind);
/* Writes a checkpoint of the simulation, and keeps the one before.  *ours: the file is one that this process wrote;
 * otherwise it is read through before it takes the place of an older one, which may be the only good one. */
int mw_checkpoint_write(const char *path, const struct mw_run_simulation *simulation,
                        const struct mw_setting *settings, const struct mw_run_position *position, bool *ours);
const struct mw_run_position *mw_checkpoint_position(const struct mw_checkpoint *checkpoint);

/* False: of standard output, where no later run goes on with it. */
bool mw_series_is_file(const struct mw_series *series);
/* Starts the file anew with its titles, for rows from a step on.  MW_EDATA: what is there would be lost, as it is no
 * series, or begins before that step. */
int mw_series_start(struct mw_series *series, uint64_t step);
/* Cuts the file back to a position, after a look whether it is the file that had come to it. */
int mw_series_resume(struct mw_series *series, const struct mw_series_position *position);
/* Puts all rows on the disk, and says how far the series has come. */
int mw_series_sync(struct mw_series *series, struct mw_series_position *position);
/* Puts all rows on the disk, and closes the file. */
int mw_series_finish(struct mw_series *series);

#endif
/* SPDX-License-Identifier: MIT */
