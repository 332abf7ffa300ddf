/* Arrays of other libraries, read without a copy and without Python code: by the table of functions that types export
 * for DLPack (`__dlpack_c_exchange_api__`), or as buffers. The loader names the types, one by one, as it meets them. All
 * of it runs on threads that may use objects of the program. */
#include "producers.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PRODUCERS = 16, MOST_AXES = 32 };
enum { ON_CPU = 1, ON_CPU_FOR_GPUS = 3 };      /* kDLCPU, kDLCUDAHost */
enum { BUFFER_FLAGS = 0x4 | 0x8 };             /* PyBUF_FORMAT | PyBUF_ND: in the order of C, or an error */
enum { INTEGER = 0, UNSIGNED = 1, FLOAT = 2, BOOLEAN = 6 }; /* kDLInt, kDLUInt, kDLFloat, kDLBool */

/* DLTensor of DLPack 1. */
typedef struct exchanged {
    char *data;
    int32_t device, device_number;
    int32_t rank;
    uint8_t code, bits;
    uint16_t lanes;
    const int64_t *sizes;
    const int64_t *strides; /* in elements; NULL in the order of C */
    uint64_t offset;
} exchanged;

static tl_python python;
static tl_producer producers[MAX_PRODUCERS];
static int64_t producer_count;

void tl_set_python(const tl_python *given) { python = *given; }

const tl_python *python_functions(void) { return &python; }

int32_t tl_add_producer(const tl_producer *producer) {
    if (producer_count == MAX_PRODUCERS) return 0;
    producers[producer_count++] = *producer;
    return 1;
}

void *leave_python(void) { return python.leave == NULL ? NULL : python.leave(); }

void enter_python(void *state) {
    if (state != NULL) python.enter(state);
}

/* What a library raised is told by the general call, which meets it again; what ends programs goes on. */
static void forget_exception(void) {
    if (python.is_raised(python.exception)) python.forget();
}

static bool is_false(void *answer) {
    if (answer == NULL) {
        forget_exception();
        return false;
    }
    const bool is = answer == python.no;
    python.discard(answer);
    return is;
}

/* Elements behind a flag, such as those that are to be negated when they are read, are not what memory holds. */
static bool is_plain(const tl_producer *producer, void *object) {
    for (int k = 0; k < TL_PRODUCER_NAMES && producer->attributes[k] != NULL; k++)
        if (!is_false(python.attribute(object, producer->attributes[k]))) return false;
    for (int k = 0; k < TL_PRODUCER_NAMES && producer->methods[k] != NULL; k++)
        if (!is_false(python.call_method(producer->methods[k], &object, 1, NULL))) return false;
    return true;
}

bool sizes_fit(const tl_parameter *parameter, int64_t rank, const int64_t *sizes) {
    if (rank != parameter->rank) return false;
    for (int64_t axis = 0; axis < rank; axis++) {
        if (sizes[axis] > TL_LONGEST_AXIS) return false;
        if (parameter->sizes[axis] >= 0 && sizes[axis] != parameter->sizes[axis]) return false;
    }
    return true;
}

static bool has_elements(int64_t rank, const int64_t *sizes) {
    for (int64_t axis = 0; axis < rank; axis++)
        if (sizes[axis] == 0) return false;
    return true;
}

/* Strides count for axes with more than one element, and for arrays with elements. */
static bool is_in_order(const exchanged *array) {
    int64_t expected = 1;
    if (array->strides == NULL || !has_elements(array->rank, array->sizes)) return true;
    for (int32_t axis = array->rank - 1; axis >= 0; axis--) {
        if (array->sizes[axis] != 1 && array->strides[axis] != expected) return false;
        expected *= array->sizes[axis];
    }
    return true;
}

static int64_t *put(int64_t *slot, const tl_parameter *parameter, const char *data, int64_t rank, const int64_t *sizes) {
    if (!sizes_fit(parameter, rank, sizes)) return NULL;
    if (data == NULL && has_elements(rank, sizes)) return NULL;
    if ((uintptr_t)data % (uintptr_t)(parameter->bits / 8) != 0) return NULL;
    *slot++ = (int64_t)(intptr_t)data;
    for (int64_t axis = 0; axis < rank; axis++) *slot++ = sizes[axis];
    return slot;
}

static int64_t *put_with_strides(int64_t *slot, const tl_parameter *parameter, const exchanged *array, tl_views *views) {
    int64_t strides[MOST_AXES];
    if (array->rank > MOST_AXES) return NULL;
    for (int32_t axis = 0; axis < array->rank; axis++) strides[axis] = array->strides[axis] * (array->bits / 8);
    return put_copy(slot, parameter, array->data + array->offset, array->rank, array->sizes, strides, views);
}

/* Whether an object is an array here, of the type and rank of a parameter, whose elements are what memory holds. */
static bool is_described(const tl_parameter *parameter, void *object, const tl_producer *producer, exchanged *array) {
    if (producer->exchange(object, array) != 0) {
        forget_exception();
        return false;
    }
    const bool is_here = array->device == ON_CPU || array->device == ON_CPU_FOR_GPUS;
    const bool is_of_type = array->code == parameter->code && array->bits == parameter->bits && array->lanes == 1;
    return is_here && is_of_type && array->rank == parameter->rank && is_plain(producer, object);
}

static int64_t *put_exchanged(
    int64_t *slot, const tl_parameter *parameter, void *object, const tl_producer *producer, tl_views *views) {
    exchanged array;
    if (!is_described(parameter, object, producer, &array)) return NULL;
    if (array.data != NULL && !is_in_order(&array)) return put_with_strides(slot, parameter, &array, views);
    return put(slot, parameter, array.data == NULL ? NULL : array.data + array.offset, array.rank, array.sizes);
}

/* The kind of number that a letter of the module `struct` stands for, or -1. */
static int32_t kind_of(const char *format) {
    if (format == NULL) return -1;
    if (*format == '@' || *format == '=') format++;
    if (*format == '\0' || format[1] != '\0') return -1;
    if (strchr("bhilqn", *format) != NULL) return INTEGER;
    if (strchr("BHILQN", *format) != NULL) return UNSIGNED;
    if (strchr("efd", *format) != NULL) return FLOAT;
    return *format == '?' ? BOOLEAN : -1;
}

static int64_t *put_buffer(int64_t *slot, const tl_parameter *parameter, void *object, tl_views *views) {
    if (views->count == MAX_VIEWS) return NULL;
    tl_view *view = &views->views[views->count];
    if (python.get_buffer(object, view, BUFFER_FLAGS) != 0) {
        forget_exception();
        return NULL;
    }
    views->count++;
    const bool is_of_type = kind_of(view->format) == parameter->code && view->item_bytes * 8 == parameter->bits;
    return is_of_type ? put(slot, parameter, view->data, view->rank, view->sizes) : NULL;
}

static const tl_producer *producer_of(const void *type) {
    for (int64_t k = 0; k < producer_count; k++)
        if (producers[k].type == type) return &producers[k];
    return NULL;
}

int64_t *put_object(int64_t *slot, const tl_parameter *parameter, void *object, const void *type, tl_views *views) {
    const tl_producer *producer = producer_of(type);
    if (producer == NULL) return NULL;
    if (producer->exchange == NULL) return put_buffer(slot, parameter, object, views);
    return put_exchanged(slot, parameter, object, producer, views);
}

void release_views(tl_views *views) {
    while (views->count > 0) python.release_buffer(&views->views[--views->count]);
    while (views->copy_count > 0) free(views->copies[--views->copy_count]);
}

/* The number of Python's for the element at an address, of the type of a parameter; NULL for types that have none. */
static void *number_at(const tl_parameter *parameter, const char *data) {
    const bool is_float = parameter->code == FLOAT, is_wide = parameter->bits == 64;
    double real;
    float single;
    int64_t integer;
    int32_t narrow;
    if (is_float && is_wide) return memcpy(&real, data, sizeof real), python.real(real);
    if (is_float && parameter->bits == 32) return memcpy(&single, data, sizeof single), python.real((double)single);
    if (parameter->code == BOOLEAN) return python.integer(*data != 0);
    if (parameter->code == INTEGER && is_wide) return memcpy(&integer, data, sizeof integer), python.integer(integer);
    if (is_wide || parameter->bits != 32) return NULL;
    memcpy(&narrow, data, sizeof narrow);
    return python.integer(parameter->code == UNSIGNED ? (int64_t)(uint32_t)narrow : narrow);
}

void *tl_number_from_python(void *capsule, void *const *arguments, int64_t count) {
    const tl_parameter *parameter = python.address(capsule, NULL);
    const tl_producer *producer = count == 2 ? producer_of(arguments[1]) : NULL;
    int64_t address = 0;
    void *found = NULL;
    tl_views views;
    views.count = views.copy_count = 0;
    if (producer != NULL && put_object(&address, parameter, arguments[0], arguments[1], &views) != NULL)
        found = number_at(parameter, (const char *)(intptr_t)address);
    release_views(&views);
    if (found != NULL || python.raised() != NULL) return found;
    python.keep(python.none);
    return python.none;
}
