/* NumPy's turns: a process of its own that runs bench/numpy-transform.py. */
#ifndef NUMPY_H
#define NUMPY_H

#include <stddef.h>

/* Starts it, before any driver has started threads. */
void numpy_start(void);
/* Seconds of one turn at an operation on a float32 array; NaN where there is no Python or no NumPy. */
double numpy_seconds(unsigned dims, const size_t *length, const char *operation);
void numpy_stop(void);

#endif
