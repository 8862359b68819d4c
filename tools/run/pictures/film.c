/* Films of states, encoded by the program ffmpeg.
 *
 * Frames wait until the range of all is known, then go through a pipe.  So a signal during the run does not reach
 * ffmpeg.  Its result is another unnamed file, which is copied when complete. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/file.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

enum { SIDE_MOST = 1080, FILM_PIXELS = 512, FPS = 25, COPIED = 65536 };

struct film {
    struct kept kept;
    char *path; /* a resumed run adds its first step */
    bool made;
};

/* Suffixes, and ffmpeg's options for them. */
static const struct {
    const char *suffix, *options;
} formats[] = {
    { ".mp4", "-c:v libx264 -preset superfast -crf 20 -pix_fmt yuv420p -movflags +faststart -f mp4" },
    { ".webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 6 -crf 24 -b:v 0 -pix_fmt yuv420p -f webm" },
    { ".gif", "-f gif" },
};

static size_t film_format(const char *path)
{
    size_t i = 0;
    while (i < MW_COUNT(formats) && !text_ends_in(path, formats[i].suffix))
        i++;
    return i;
}

/* ---- options ---- */

int film_interval(struct run *r)
{
    struct run_settings *set = r->set;
    const uint64_t first = r->resume.from ? mw_checkpoint_step(r->resume.from) : 0;
    if (!set->frames)
        return 0;
    if (option_is_given(r->command, "every"))
        return mw_fail(MW_EINVAL, "--frames and --every exclude each other: give one of them");
    if (set->steps >= RUN_STEPS_OPEN)
        return mw_fail(MW_EINVAL, "--frames needs a known number of steps: with --until, give --every N");
    const uint64_t left = set->steps > first ? set->steps - first : 1, parts = set->frames > 1 ? set->frames - 1 : 1;
    set->every = (left - 1) / parts + 1;
    return 0;
}

/* Makes the name: a film cannot be continued, so that a resumed run makes another one. */
static int name_film(const struct run *r, char **path)
{
    const uint64_t first = r->resume.from ? mw_checkpoint_step(r->resume.from) : 0;
    return first ? file_numbered("film", r->set->film, first, true, path) : mw_strdup(r->set->film, path);
}

int film_prepare(struct run *r)
{
    struct run_settings *set = r->set;
    char *path = NULL;
    int rc = 0;
    if (!set->film)
        return 0;
    if (film_format(set->film) == MW_COUNT(formats))
        return mw_fail(MW_EINVAL, "--film: '%s' must end in .mp4, .webm or .gif", set->film);
    if (!file_program("ffmpeg"))
        return mw_fail(MW_ENOTSUP,
                       "--film needs the program ffmpeg, which is not installed: install it (package ffmpeg), "
                       "or write pictures by --png 'frame-%%06d.png'");
    if (!set->every)
        return mw_fail(MW_EINVAL, "--film needs --every N, the steps from one frame to the next, or --frames N");
    TRY(name_film(r, &path));
    if (strcmp(path, set->film) != 0)
        print_note("a film cannot be continued: the film of this part is %s", path);
    TRY(file_writable(path));
out:
    free(path);
    return rc;
}

/* ---- frames ---- */

int film_keep(struct run *r, uint64_t step)
{
    struct film *film = r->observe.picture.film;
    if (!r->set->film)
        return 0;
    if (!film) {
        TRY_RETURN(mw_new(1, sizeof(*film), &film));
        r->observe.picture.film = film;
        TRY_RETURN(name_film(r, &film->path));
    }
    return kept_add(r, "film", film->path, SIDE_MOST, &film->kept);
}

/* ---- the film ---- */

/* Starts ffmpeg, which writes to an open file. */
static int open_pipe(const struct run *r, const struct film *film, FILE *to, struct piped *ffmpeg)
{
    const size_t format = film_format(film->path), nx = film->kept.frame.length[0], ny = film->kept.frame.length[1];
    const size_t by = r->set->scale ? (size_t)r->set->scale : (FILM_PIXELS - 1) / (nx > ny ? nx : ny) + 1;
    struct mw_text command = { 0 };
    int rc;
    mw_text_add(
        &command,
        "exec ffmpeg -nostdin -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size %zux%zu -framerate "
        "%llu -i pipe:0 -vf 'scale=%zu:%zu:flags=neighbor,",
        nx, ny, (unsigned long long)(r->set->fps ? r->set->fps : FPS), nx * by, ny > 1 ? ny * by : PICTURE_STRIP);
    /* Both codecs need even sides; a palette of the film's own colours makes a good GIF. */
    mw_text_add(&command, !strcmp(formats[format].suffix, ".gif") ? "split[a][b];[a]palettegen[p];[b][p]paletteuse' "
                                                                  : "pad=ceil(iw/2)*2:ceil(ih/2)*2' ");
    mw_text_add(&command, "%s file:/dev/fd/%d", formats[format].options, fileno(to));
    TRY(mw_text_ok(&command));
    rc = program_start(command.data, "w", ffmpeg);
out:
    mw_text_free(&command);
    return rc;
}

static int encode(struct film *film, FILE *pipe)
{
    struct kept *kept = &film->kept;
    unsigned char *rgb = NULL;
    int rc;
    TRY(mw_new(3 * kept->frame.count, 1, &rgb));
    for (size_t i = 0; i < kept->count; i++) {
        TRY(kept_read(kept, i));
        TRY(mw_colour_pixels(&kept->frame, kept->colours, kept->lo, kept->hi, rgb));
        if (fwrite(rgb, 3, kept->frame.count, pipe) != kept->frame.count)
            TRY(mw_fail(MW_EIO, "ffmpeg did not make %s: see its messages above", film->path));
    }
out:
    free(rgb);
    return rc;
}

static int copy(FILE *from, const char *path)
{
    struct mw_file *file = NULL;
    char *bytes = NULL;
    size_t n;
    int rc;
    TRY(mw_new(COPIED, 1, &bytes));
    TRY(mw_file_create(path, true, &file));
    rewind(from);
    while ((n = fread(bytes, 1, COPIED, from)) > 0)
        TRY(mw_file_write(file, bytes, n));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    free(bytes);
    return rc;
}

int film_finish(struct run *r)
{
    struct film *film = r->observe.picture.film;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a failure of ffmpeg is one of fwrite */
    struct piped ffmpeg = { 0 };
    FILE *encoded = NULL;
    int rc = 0, status = 0;
    if (!film || !film->kept.count)
        goto out;
    TRY(kept_open(film->path, &encoded));
    TRY(open_pipe(r, film, encoded, &ffmpeg));
    rc = encode(film, ffmpeg.pipe);
    status = program_end(&ffmpeg);
    TRY(rc);
    if (status != 0)
        TRY(mw_fail(MW_EIO, "ffmpeg did not make %s: see its messages above", film->path));
    TRY(copy(encoded, film->path));
    film->made = true;
out:
    if (encoded)
        fclose(encoded);
    signal(SIGPIPE, before);
    return rc;
}

const char *film_made(const struct run *r, size_t *frames)
{
    const struct film *film = r->observe.picture.film;
    *frames = film ? film->kept.count : 0;
    return film && film->made ? film->path : NULL;
}

void film_free(struct run *r)
{
    struct film *film = r->observe.picture.film;
    if (!film)
        return;
    kept_free(&film->kept);
    free(film->path);
    free(film);
    r->observe.picture.film = NULL;
}
/* SPDX-License-Identifier: MIT */
