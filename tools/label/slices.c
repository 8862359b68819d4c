/* meshwork label: copies cells to the device and labels from it in slices. */
#include "tools/label/label.h"

bool label_keeps_source(const struct label *l) { return l->set->verify || l->set->save_pattern; }

/* Starts at the end, so that finished memory can be freed. */
int label_upload(struct label *l)
{
    const size_t element = mw_type_bytes(l->source.type);
    char *data = l->source.data, *shrunk;
    for (size_t end = l->source.count * element, begin; end > 0; end = begin) {
        begin = (end - 1) / LABEL_SLICE_BYTES * LABEL_SLICE_BYTES;
        TRY_RETURN(mw_buffer_write(l->from, begin, end - begin, data + begin, NULL));
        if (label_keeps_source(l) || begin == 0)
            continue;
        shrunk = realloc(data, begin);
        l->source.data = data = shrunk ? shrunk : data;
    }
    if (!label_keeps_source(l)) {
        free(l->source.data);
        l->source.data = NULL;
    }
    return 0;
}

int buffer_each_slice(struct mw_buffer *buffer, size_t count, size_t bytes,
                      int (*take)(void *context, size_t first, size_t count, const void *elements), void *context)
{
    const size_t most = LABEL_SLICE_BYTES / bytes;
    char *slice = NULL;
    int rc;
    TRY(mw_new(count < most ? count : most, bytes, &slice));
    for (size_t first = 0; first < count; first += most) {
        const size_t n = count - first < most ? count - first : most;
        TRY(mw_buffer_read(buffer, first * bytes, n * bytes, slice, NULL));
        TRY(take(context, first, n, slice));
    }
out:
    free(slice);
    return rc;
}

int label_each_slice(const struct label *l, int (*take)(void *context, size_t first, size_t count, const void *labels),
                     void *context)
{
    return buffer_each_slice(l->to, l->source.count, mw_type_bytes(l->label_type), take, context);
}
/* SPDX-License-Identifier: MIT */
