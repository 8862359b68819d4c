/* Files of networks: what the files of src/graph/file share. */
#ifndef MW_GRAPH_FILE_INTERNAL_H
#define MW_GRAPH_FILE_INTERNAL_H

#include <meshwork/graph_file.h>

#include "base/base.h"
#include "dev/native/executor.h"
#include "graph/graph_internal.h"

/* ---- input.c: a file's bytes, as they are or out of gzip ---- */

/* Text is read with this much room behind it, and its last line has a newline: nobody need look for the end within a
 * line. */
#define MW_TEXT_PADDING 16
/* Of a line that is read by itself, and of a vertex's name. */
#define MW_LINE_MAX ((size_t)1 << 20)
#define MW_NAME_MAX ((size_t)65535)

/* How text is cut for threads.  Tests change these. */
struct mw_file_limits {
    size_t piece_bytes;          /* of text in a piece that is read */
    uint64_t block_positions;    /* arcs and vertices of a block that is written */
};
extern const struct mw_file_limits mw_file_limits_usual;
/* mw_edges_read and mw_graph_write with limits of the caller's. */
int mw_edges_read_within(const char *path, const struct mw_graph_file_options *options,
                         const struct mw_file_limits *limits, struct mw_edges *edges);
int mw_graph_write_within(const struct mw_graph *graph, const char *path, const struct mw_graph_file_options *options,
                          const struct mw_file_limits *limits);

struct mw_input {
    const struct mw_file_limits *limits;
    char *name;                  /* for messages: the path, "standard input" */
    int descriptor;
    bool is_file;                /* its bytes can be read at any place, by several threads: `start` to `end` */
    uint64_t start, end;
    struct mw_gunzip *gunzip;    /* NULL: bytes are taken as they are */
    bool at_end;                 /* of what comes into the buffer */
    char *buffer;                /* what is read and not yet taken: from `at` to below `have` */
    size_t capacity, at, have;
    uint64_t taken;              /* bytes before `at` */
    size_t lines;                /* taken by mw_input_line */
};

/* path "-": standard input.  The first bytes are in the buffer afterwards. */
int mw_input_open(const char *path, const struct mw_file_limits *limits, struct mw_input *input);
void mw_input_close(struct mw_input *input);
/* Bytes, fewer than wanted only at the end. */
int mw_input_read(struct mw_input *input, void *to, size_t wanted, size_t *got);
/* The next line, without its end; *line is NULL after the last one, else valid until the next call.  A newline stands
 * at *end, or the carriage return of one. */
int mw_input_line(struct mw_input *input, const char **line, const char **end);
/* Fails with the sentence of a malformed file: "NAME:LINE: what". */
int mw_input_malformed(const struct mw_input *input, size_t line, const char *format, ...) MW_PRINTF(3, 4);

/* ---- pieces.c: a text's lines, read in pieces by several threads ---- */

/* Begins every format's own piece. */
struct mw_piece {
    size_t lines;                /* the ones that it has, or those before the one that is wrong */
    int status;
    bool is_sentence;            /* the reason is all that there is to say, and no line is wrong */
    char reason[200];
};
/* Reads whole lines; a failure stands in the piece: what is wrong in the line behind piece->lines. */
typedef void mw_piece_fn(void *context, const char *at, const char *end, void *piece);
/* MW_EDATA, and this reason. */
int mw_piece_wrong(struct mw_piece *piece, const char *format, ...) MW_PRINTF(2, 3);
/* A failure that has its sentence in mw_errmsg, of whatever thread. */
int mw_piece_failed(struct mw_piece *piece, int status);

struct mw_pieces {
    size_t bytes;                /* of a format's own piece */
    mw_piece_fn *read;
    void *context;
    struct mw_executor *executor;
    void **piece;                /* in the order of the file */
    size_t count, capacity;
    size_t lines;                /* of the file up to the end of the last piece */
};
/* Reads what the input has left; the pieces are the caller's, also after a failure, to be freed one by one. */
int mw_pieces_read(struct mw_input *input, struct mw_pieces *pieces);
/* Threads that a file is worth. */
int mw_input_executor(const struct mw_input *input, unsigned threads, struct mw_executor **executor);

/* ---- text.c: words and numbers ---- */

static inline bool mw_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

static inline const char *mw_skip_blanks(const char *at)
{
    while (mw_is_blank(*at))
        at++;
    return at;
}

static inline const char *mw_skip_word(const char *at)
{
    while ((unsigned char)*at > ' ' && *at != 0x7f)
        at++;
    return at;
}

/* The value of the digits at `at`, and how many these are; up to 16, more are not looked at. */
static inline unsigned mw_take_digits(const char *at, uint64_t *value)
{
    uint64_t sum = 0;
    for (unsigned taken = 0;; taken += 8) {
        uint64_t word, others;
        __builtin_memcpy(&word, at + taken, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word ^= 0x3030303030303030;
        others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
        const unsigned digits = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
        static const uint64_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
        if (digits > 0) {
            /* Neighbouring digits become numbers of two, these of four, these of eight digits. */
            word <<= 64 - 8 * digits;
            word = word * 10 + (word >> 8);
            word = (((word & 0x000000ff000000ff) * 0x000f424000000064) +
                    (((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32;
            sum = sum * power[digits] + word;
        }
        if (digits < 8 || taken == 8) {
            *value = sum;
            return taken + digits;
        }
    }
}

/* What a line's next word is, behind blanks. */
enum mw_word { MW_WORD_NUMBER, MW_WORD_NONE, MW_WORD_LARGE, MW_WORD_OTHER };
/* Takes a whole number without sign of up to 10^16 - 1, that a blank or the line's end follows. */
enum mw_word mw_take_number(const char **at, uint64_t *value);
/* Fails the piece for a word that is none. */
int mw_word_wrong(struct mw_piece *piece, enum mw_word word, const char *at, const char *what);
/* Goes to behind the line's newline; false: there is something that no text has. */
bool mw_finish_line(struct mw_piece *piece, const char **at);
/* A word for messages: cut where it is long, control characters replaced. */
#define MW_QUOTE_CAPACITY 48
const char *mw_quote(const char *at, char text[MW_QUOTE_CAPACITY]);
/* Whether a text is a number as it would be written: digits, below 2^64, no needless zeros in front. */
bool mw_plain_number(const char *text, size_t length, uint64_t *value);
/* Writes a number; returns its end. */
char *mw_put_number(char *to, uint64_t value);
#define MW_NUMBER_CAPACITY 24

/* ---- dictionary.c: words and the order in which they came ---- */

struct mw_entry { uint64_t hash; uint32_t start, number; };
struct mw_dictionary {
    struct mw_entry *entry;      /* in the order of their first coming */
    size_t count, capacity;
    char *bytes;                 /* texts, each ended by a NUL: entry[i].start */
    size_t length, bytes_capacity;
    uint32_t *slot;              /* number + 1 of an entry, 0: free */
    size_t slots;
    bool all_numbers;            /* mw_plain_number of all */
};
/* The number of a word, which is copied where it is new.  Errors: MW_ELIMIT, MW_ENOMEM. */
int mw_dictionary_add(struct mw_dictionary *dictionary, const char *text, size_t length, uint32_t *number);
/* Gives back what only adding needs. */
void mw_dictionary_close(struct mw_dictionary *dictionary);
void mw_dictionary_free(struct mw_dictionary *dictionary);

/* ---- number.c, merge.c: from names to vertices ---- */

/* Edges of a piece: by numbers that the file has, or by words of the piece's own dictionary. */
struct mw_edge_piece {
    struct mw_piece head;
    bool has_words;
    uint32_t *ends;
    size_t count;                /* edges */
    uint32_t least, most;        /* numbers: UINT32_MAX and 0 where there are none */
    struct mw_dictionary words;
};
void mw_edge_piece_free(struct mw_edge_piece *piece);
/* Numbers the vertices as graph_file.h has it, and makes edges of the pieces.  `name`: of the file, for messages. */
int mw_pieces_number(struct mw_executor *executor, const char *name, void **piece, size_t count, bool directed,
                     struct mw_edges *edges);
/* Makes edges of pieces whose numbers, counted from `least`, are those of so many vertices. */
int mw_pieces_keep(struct mw_executor *executor, const char *name, void **piece, size_t count, uint32_t least,
                   uint64_t vertices, bool directed, struct mw_edges *edges);
/* The same where all pieces have words. */
int mw_pieces_merge(struct mw_executor *executor, struct mw_edge_piece **piece, size_t count, bool directed,
                    struct mw_edges *edges);
/* Runs a function for each of `count`; one of its failures counts. */
struct mw_each { void *context; int (*run)(void *context, size_t piece); int status; };
int mw_each_piece(struct mw_executor *executor, size_t count, struct mw_each *each);

/* ---- output.c: text, written in blocks by several threads ---- */

struct mw_output;
/* Text in memory that grows. */
struct mw_block { char *data; size_t length, capacity; bool failed; };
/* Room for `bytes` more at data + length; NULL, and failed, where there is none. */
char *mw_block_reserve(struct mw_block *block, size_t bytes);

struct mw_writing {
    const struct mw_graph *graph;
    const char *path;            /* for messages */
    const struct mw_file_limits *limits;
    uint64_t edges;              /* those that will be written */
    uint64_t first;              /* number of the first vertex */
    uint64_t *number;            /* of each vertex, where names are numbers that are not counted */
    bool has_texts;              /* names are texts */
    struct mw_executor *executor;
    struct mw_output *output;
};
/* Begins a file: checks the graph, counts its edges. */
int mw_writing_start(const struct mw_graph *graph, const char *path, bool compressed, unsigned threads,
                     const struct mw_file_limits *limits, struct mw_writing *writing);
/* The number that a vertex has for a name, where it has no text. */
static inline uint64_t mw_written_number(const struct mw_writing *writing, size_t vertex)
{
    return writing->number ? writing->number[vertex] : writing->first + vertex;
}
/* Ends it: puts the file in its place, or, where `rc` is a failure, drops it.  Returns rc or a failure of its own. */
int mw_writing_end(struct mw_writing *writing, int rc);
int mw_write_text(struct mw_writing *writing, const char *format, ...) MW_PRINTF(2, 3);
int mw_write_bytes(struct mw_writing *writing, const void *bytes, size_t count);

/* What a format makes of the graph: `vertex` before a vertex's first arc, `edge` for each edge once, `end` behind a
 * vertex's last arc; each may be NULL.  Arcs are visited whole where `arcs` is true. */
struct mw_writer {
    bool arcs;                   /* both arcs of undirected edges */
    void (*vertex)(const struct mw_writing *w, size_t vertex, struct mw_block *block);
    void (*edge)(const struct mw_writing *w, size_t tail, size_t head, bool first, struct mw_block *block);
    void (*end)(const struct mw_writing *w, size_t vertex, struct mw_block *block);
};
int mw_write_graph(struct mw_writing *writing, const struct mw_writer *writer);

/* ---- the formats ---- */

int mw_edges_read_list(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_mtx(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_metis(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);
int mw_edges_read_graphml(struct mw_input *input, const struct mw_graph_file_options *options,
                          struct mw_edges *edges);
int mw_edges_read_binary(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges);

int mw_graph_write_list(struct mw_writing *writing);
int mw_graph_write_mtx(struct mw_writing *writing);
int mw_graph_write_metis(struct mw_writing *writing);
int mw_graph_write_graphml(struct mw_writing *writing);
int mw_graph_write_binary(struct mw_writing *writing);

#define MW_BINARY_MAGIC "\x89MWG\r\n\x1a\n"
#define MW_BINARY_MAGIC_BYTES 8

#endif
