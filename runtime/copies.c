/* Copies, in the order of C, of arrays whose elements do not lie so: transposed ones, slices with steps. */
#include <stdlib.h>
#include <string.h>

#include "producers.h"

/* Longer arrays are copied by their library. */
enum { MOST_BYTES = 1 << 20 };

#define COPY_ROW(type)                                                                   \
    for (int64_t k = 0; k < count; k++) memcpy(to + k * (int64_t)sizeof(type), from + k * stride, sizeof(type))

static void copy_row(char *to, const char *from, int64_t count, int64_t stride, int64_t item) {
    switch (item) {
    case 8: COPY_ROW(uint64_t); return;
    case 4: COPY_ROW(uint32_t); return;
    case 2: COPY_ROW(uint16_t); return;
    default: COPY_ROW(uint8_t);
    }
}

/* The place behind the copied elements. */
static char *copy(char *to, const char *from, int64_t rank, const int64_t *sizes, const int64_t *strides, int64_t item) {
    if (rank == 1) {
        copy_row(to, from, sizes[0], strides[0], item);
        return to + sizes[0] * item;
    }
    for (int64_t k = 0; k < sizes[0]; k++) to = copy(to, from + k * strides[0], rank - 1, sizes + 1, strides + 1, item);
    return to;
}

int64_t *put_copy(int64_t *slot, const tl_parameter *parameter, const char *data, int64_t rank, const int64_t *sizes,
                  const int64_t *strides, tl_views *views) {
    int64_t bytes = parameter->bits / 8;
    if (rank == 0 || !sizes_fit(parameter, rank, sizes) || views->copy_count == MAX_COPIES) return NULL;
    for (int64_t axis = 0; axis < rank; axis++) {
        if (sizes[axis] > MOST_BYTES) return NULL;
        bytes *= sizes[axis];
        if (bytes == 0 || bytes > MOST_BYTES) return NULL;
    }
    char *to = malloc((size_t)bytes);
    if (to == NULL) return NULL;
    views->copies[views->copy_count++] = to;
    copy(to, data, rank, sizes, strides, parameter->bits / 8);
    *slot++ = (int64_t)(intptr_t)to;
    for (int64_t axis = 0; axis < rank; axis++) *slot++ = sizes[axis];
    return slot;
}
