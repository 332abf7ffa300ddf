/* Arrays of other libraries than numpy: how their objects are read, and what is held while a kernel works on them. */
#ifndef TAPELESS_PRODUCERS_H
#define TAPELESS_PRODUCERS_H

#include <stdbool.h>

#include "tapeless_runtime.h"

enum { MAX_VIEWS = 32, MAX_COPIES = 32 };

/* Python's Py_buffer, the same since Python 3.11, where it became part of the stable interface. */
typedef struct tl_view {
    void *data;
    void *object;
    int64_t bytes, item_bytes;
    int32_t is_read_only, rank;
    const char *format;
    int64_t *sizes, *strides, *offsets;
    void *internal;
} tl_view;

/* The buffers that a call holds, and its copies of arrays whose elements do not lie in order. */
typedef struct tl_views {
    int64_t count, copy_count;
    tl_view views[MAX_VIEWS];
    void *copies[MAX_COPIES];
} tl_views;

/* Whether an array of `rank` has sizes that a parameter takes. */
bool sizes_fit(const tl_parameter *parameter, int64_t rank, const int64_t *sizes);

/* Address and sizes of an object of another type than numpy's, written to the slots from `slot` on; the slot behind
 * them, or NULL when its type is not known or it is not exactly as the parameter says. */
int64_t *put_object(int64_t *slot, const tl_parameter *parameter, void *object, const void *type, tl_views *views);

/* The same for elements that lie `strides` bytes apart along each axis: of a copy in the order of C. NULL for long arrays,
 * which others copy as fast. */
int64_t *put_copy(int64_t *slot, const tl_parameter *parameter, const char *data, int64_t rank, const int64_t *sizes,
                  const int64_t *strides, tl_views *views);

void release_views(tl_views *views);

/* Functions of Python that the loader handed over. */
const tl_python *python_functions(void);

/* Other threads of the program run in between; what the first gives goes to the second. */
void *leave_python(void);
void enter_python(void *state);

#endif
