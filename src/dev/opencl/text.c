/* The OpenCL backend: texts that drivers give.  They are not trusted, but cut and cleaned. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10 };

/* Replaces characters unsuitable for a terminal, JSON or a log by '?'; removes blanks around and repeated ones. */
static void clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        unsigned char c = (unsigned char)*from;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (to != text && to[-1] != ' ')
                *to++ = ' ';
        } else {
            *to++ = c > ' ' && c < 0x7f ? (char)c : '?';
        }
    }
    if (to != text && to[-1] == ' ')
        to--;
    *to = '\0';
}

/* Returns a property of a device; if that is NULL, of a platform. */
static char *text_of(cl_device_id device, cl_platform_id platform, cl_uint what)
{
    size_t size = 0;
    char *text = NULL;
    cl_int error =
        device ? clGetDeviceInfo(device, what, 0, NULL, &size) : clGetPlatformInfo(platform, what, 0, NULL, &size);
    if (error == CL_SUCCESS && size > 0 && size <= TEXT_MAX)
        text = calloc(size + 1, 1);
    if (!text)
        return NULL;
    error =
        device ? clGetDeviceInfo(device, what, size, text, NULL) : clGetPlatformInfo(platform, what, size, text, NULL);
    if (error != CL_SUCCESS)
        text[0] = '\0';
    clean(text);
    return text;
}

char *mw_cl_device_text(cl_device_id device, cl_device_info what) { return text_of(device, NULL, what); }

char *mw_cl_platform_text(cl_platform_id platform, cl_platform_info what) { return text_of(NULL, platform, what); }

bool mw_cl_has_extension(cl_device_id device, const char *wanted)
{
    const size_t n = strlen(wanted);
    char *const all = mw_cl_device_text(device, CL_DEVICE_EXTENSIONS);
    bool found = false;
    for (const char *at = all; at && !found && (at = strstr(at, wanted)); at += n)
        found = (at == all || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0');
    free(all);
    return found;
}
/* SPDX-License-Identifier: MIT */
