/* The parser of model files, which parse.c, text.c, header.c, spin.c, words.c and compile/ share.  Internal. */
#ifndef MW_MODEL_PARSER_H
#define MW_MODEL_PARSER_H

#include "base/words.h"
#include "model/model.h"

#define MW_EQUATIONS_PATH "equations" /* of models without a file */
#define MW_USES_MAX 1024              /* operators in one model */

/* A position in the text. */
struct mw_text_place {
    const char *at, *line_begin; /* of the line that contains it */
    int line;
};

struct mw_model_parser {
    const char *path;
    struct mw_model *model;
    const char *at;         /* next character */
    const char *line_begin; /* its line */
    int line;
    char *names_end;                                   /* free storage for names */
    struct mw_text_place noise_at[MW_MODEL_NAMES_MAX]; /* declarations of noise terms */
    bool noise_used[MW_MODEL_NAMES_MAX];
    bool stage_used[MW_MODEL_NAMES_MAX];
    bool has_rate[MW_MODEL_NAMES_MAX], has_start[MW_MODEL_NAMES_MAX];
    struct mw_wanted {
        const char *name;
        size_t length;
        struct mw_text_place place;
    } wanted[MW_MODEL_NAMES_MAX];
    size_t wanted_count; /* parameters that spin models use */
    bool conditional;    /* the text contains #if: braces cannot be counted */
    bool has_model;
    const char *rate_at[MW_MODEL_NAMES_MAX]; /* place of the last rate of each field */
    const char *replace, *last_replace;      /* the first and last line //@ replace; NULL: none */
    bool has_spins;                          /* a line begins with //@ spin */
    bool has_kind;                           /* a line has determined whether the model is of fields or spins */
};

/* ---- words.c ---- */

static inline struct mw_text_place mw_model_place(const struct mw_model_parser *p)
{
    return (struct mw_text_place){ p->at, p->line_begin, p->line };
}
static inline void mw_model_move(struct mw_model_parser *p, struct mw_text_place to)
{
    p->at = to.at;
    p->line_begin = to.line_begin;
    p->line = to.line;
}

/* Fails with "path:line:column: what" for the current position, followed by `name` unless that is NULL.  If
 * the text is not that of a file, the message contains the line around the position. */
int mw_model_wrong(const struct mw_model_parser *p, const char *what, const char *name);

void mw_model_skip_blanks(struct mw_model_parser *p);
size_t mw_identifier_length(const char *s);
/* Appends a copy of n characters to the stored names. */
const char *mw_model_keep(struct mw_model_parser *p, const char *from, size_t n);
/* compile/reserved.c.  Returns the meaning of a word of the language of field models; NULL: another word. */
const char *mw_model_meaning(const char *name, size_t n);
#define MW_RESERVED "%s is reserved (%s)" /* a name, its meaning */
/* Check that a name is valid and new; and read such a name. */
int mw_model_check_name(const struct mw_model_parser *p, const char *name);
int mw_model_new_name(struct mw_model_parser *p, const char **name);

/* Return an index in the model's lists, or -1.  The name of a complex field finds its real part. */
int mw_model_find_field(const struct mw_model *m, const char *name, size_t n);
int mw_model_find_complex(const struct mw_model *m, const char *name, size_t n);
int mw_model_find_noise(const struct mw_model *m, const char *name, size_t n);

/* words.c.  Skips a character of white space and counts lines; returns false without one. */
bool mw_model_skip_space(struct mw_model_parser *p);
/* Skips a comment.  MW_EBUILD: it has no end. */
int mw_model_skip_comment(struct mw_model_parser *p);

/* header.c.  Reads all lines that begin with //@, and words of such a line. */
int mw_model_read_header(struct mw_model_parser *p);
int mw_model_number(struct mw_model_parser *p, double *value);
int mw_model_quoted(struct mw_model_parser *p, const char **text);

/* spin.c.  Read lines and definitions of spin models, and check that they are complete. */
int mw_model_spin_line(struct mw_model_parser *p);
int mw_model_bond_line(struct mw_model_parser *p);
int mw_model_site_line(struct mw_model_parser *p);
int mw_model_start_line(struct mw_model_parser *p);
/* Reads a word of n characters at depth 0 or in a definition; p->at points after it. */
int mw_model_spin_word(struct mw_model_parser *p, const char *word, size_t n, int depth);
int mw_model_check_spin(struct mw_model_parser *p);

/* text.c.  Reads "(name)" and moves past it.  Returns the name's length, or 0 if the text has another form. */
size_t mw_model_parenthesised(struct mw_model_parser *p, const char **name);
/* text.c.  Reads the text of a spin model. */
int mw_model_read_text(struct mw_model_parser *p);

#endif
/* SPDX-License-Identifier: MIT */
