/* Films of states: frames go through a pipe to the program ffmpeg.
 *
 * Frames whose range is that of all wait in an unnamed temporary file, as float32; the others are coloured at once. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/report/files.h"
#include "tools/run/picture.h"

enum { SIDE_MOST = 1080, PIXELS_LEAST = 512, FPS = 25 };

struct film {
    FILE *waiting, *pipe;  /* frames that wait; ffmpeg's input */
    char *making;          /* the file until it is complete; NULL: none */
    struct mw_array frame; /* float32 */
    unsigned char *rgb;
    const char *colours;
    double lo, hi; /* the range of all frames so far, or that of --range */
    size_t frames;
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

int film_prepare(struct run *r)
{
    struct run_settings *set = r->set;
    if (!set->film) {
        if (set->fps || set->frames)
            return mw_fail(MW_EINVAL, "--%s requires --film FILE.mp4", set->fps ? "fps" : "frames");
        return 0;
    }
    if (film_format(set->film) == MW_COUNT(formats))
        return mw_fail(MW_EINVAL, "--film: '%s' must end in .mp4, .webm or .gif", set->film);
    if (!file_program("ffmpeg"))
        return mw_fail(MW_ENOTSUP,
                       "--film needs the program ffmpeg, which is not installed: install it (package ffmpeg), "
                       "or write pictures by --png 'frame-%%06d.png'");
    if (set->frames && !set->every && set->steps < RUN_STEPS_OPEN)
        set->every = set->steps > set->frames ? set->steps / set->frames : 1;
    if (!set->every)
        return mw_fail(MW_EINVAL, "--film needs --every N, the steps from one frame to the next%s",
                       set->steps < RUN_STEPS_OPEN ? ", or --frames N" : "");
    if (r->resume.from)
        print_note("%s begins at step %llu of the checkpoint: a film cannot be continued", set->film,
                   (unsigned long long)mw_checkpoint_step(r->resume.from));
    return file_writable(set->film);
}

/* Starts ffmpeg, which writes a temporary file. */
static int open_pipe(const struct run *r, struct film *film)
{
    const size_t format = film_format(r->set->film), nx = film->frame.length[0], ny = film->frame.length[1];
    const size_t longest = nx > ny ? nx : ny;
    const size_t by = r->set->scale ? (size_t)r->set->scale : (PIXELS_LEAST - 1) / longest + 1;
    struct mw_text command = { 0 }, path = { 0 };
    int rc;
    mw_text_add(&path, "%s.%ld", r->set->film, (long)getpid());
    TRY(mw_text_ok(&path));
    TRY(mw_strdup(path.data, &film->making));
    mw_text_add(
        &command,
        "exec ffmpeg -nostdin -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size %zux%zu -framerate "
        "%llu -i pipe:0 -vf 'scale=iw*%zu:-1:flags=neighbor,",
        nx, ny, (unsigned long long)(r->set->fps ? r->set->fps : FPS), by);
    /* Both codecs need even sides; a palette of the film's own colours makes a good GIF. */
    mw_text_add(&command, !strcmp(formats[format].suffix, ".gif") ? "split[a][b];[a]palettegen[p];[b][p]paletteuse' "
                                                                  : "pad=ceil(iw/2)*2:ceil(ih/2)*2' ");
    mw_text_add(&command, "%s ", formats[format].options);
    path.length = 0;
    mw_text_add(&path, "file:%s", film->making);
    TRY(mw_text_ok(&path));
    text_shell_word(&command, path.data);
    TRY(mw_text_ok(&command));
    signal(SIGPIPE, SIG_IGN); /* a failure of ffmpeg is one of fwrite */
    film->pipe = popen(command.data, "w");
    if (!film->pipe)
        rc = mw_fail(MW_EIO, "cannot start ffmpeg: %s", strerror(errno));
out:
    mw_text_free(&command);
    mw_text_free(&path);
    return rc;
}

static int film_write(struct film *film, FILE *to, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, to) == n)
        return 0;
    return to == film->pipe
               ? mw_fail(MW_EIO, "ffmpeg did not accept a frame: see its messages above")
               : mw_fail(MW_EIO, "cannot keep the frames of the film in a temporary file: %s", strerror(errno));
}

static int encode(struct film *film)
{
    TRY_RETURN(mw_colour_pixels(&film->frame, film->colours, film->lo, film->hi, film->rgb));
    return film_write(film, film->pipe, film->rgb, 3 * film->frame.count);
}

/* Makes the film with the lengths and colours of the first frame. */
static int film_new(struct run *r, const struct mw_array *cells, const char *colours)
{
    struct film *film;
    TRY_RETURN(mw_new(1, sizeof(*film), &film));
    r->observe.picture.film = film;
    film->colours = colours;
    film->lo = INFINITY;
    film->hi = -INFINITY;
    TRY_RETURN(mw_array_new(MW_TYPE_F32, 2, cells->length, &film->frame));
    TRY_RETURN(mw_new(3 * cells->count, 1, &film->rgb));
    if (picture_is_fixed(r))
        return open_pipe(r, film);
    film->waiting = tmpfile();
    return film->waiting ? 0 : mw_fail(MW_EIO, "cannot make a temporary file for the film: %s", strerror(errno));
}

int film_keep(struct run *r, uint64_t step)
{
    struct shown shown = { 0 };
    struct mw_array cells = { 0 };
    double extent[2], lo, hi;
    struct film *film;
    int rc = 0;
    if (!r->set->film)
        return 0;
    TRY(r->kind->observe.show(r, shown_name(r, 0), &shown));
    const struct plane plane = shown.is_plane ? (struct plane){ .down = 1 } : picture_plane(r);
    TRY(picture_cut(r, &shown, 0, &plane, SIDE_MOST, &cells, extent));
    if (!r->observe.picture.film)
        TRY(film_new(r, &cells, picture_colours(r, &shown)));
    film = r->observe.picture.film;
    if (cells.count != film->frame.count) {
        rc = mw_fail(MW_EINVAL, "--film: the size of the picture changes with time: use --png with a number instead");
        goto out;
    }
    for (size_t i = 0; i < cells.count; i++)
        ((float *)film->frame.data)[i] = (float)((const double *)cells.data)[i];
    picture_range(r, &shown, &lo, &hi);
    film->lo = film->pipe ? lo : fmin(film->lo, lo);
    film->hi = film->pipe ? hi : fmax(film->hi, hi);
    TRY(film->pipe ? encode(film)
                   : film_write(film, film->waiting, film->frame.data, film->frame.count * sizeof(float)));
    film->frames++;
out:
    mw_array_free(&cells);
    shown_free(&shown);
    return rc;
}

int film_finish(struct run *r)
{
    struct film *film = r->observe.picture.film;
    int status;
    if (!film)
        return 0;
    if (film->waiting) {
        rewind(film->waiting);
        TRY_RETURN(open_pipe(r, film));
        picture_centre(film->colours, &film->lo, &film->hi);
        for (size_t i = 0; i < film->frames; i++) {
            if (fread(film->frame.data, sizeof(float), film->frame.count, film->waiting) != film->frame.count)
                return mw_fail(MW_EIO, "cannot read the frames of the film again: %s", strerror(errno));
            TRY_RETURN(encode(film));
        }
    }
    status = pclose(film->pipe);
    film->pipe = NULL;
    if (status != 0)
        return mw_fail(MW_EIO, "ffmpeg did not make %s: see its messages above", r->set->film);
    if (rename(film->making, r->set->film) != 0)
        return mw_fail(MW_EIO, "cannot rename %s to %s: %s", film->making, r->set->film, strerror(errno));
    free(film->making);
    film->making = NULL;
    return 0;
}

size_t film_frames(const struct run *r) { return r->observe.picture.film ? r->observe.picture.film->frames : 0; }

void film_free(struct run *r)
{
    struct film *film = r->observe.picture.film;
    if (!film)
        return;
    if (film->waiting)
        fclose(film->waiting);
    if (film->pipe)
        pclose(film->pipe);
    if (film->making)
        unlink(film->making);
    free(film->making);
    free(film->rgb);
    mw_array_free(&film->frame);
    free(film);
    r->observe.picture.film = NULL;
}
/* SPDX-License-Identifier: MIT */
