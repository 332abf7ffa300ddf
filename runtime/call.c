/* Calls with arrays: reads address and sizes from numpy's array objects themselves, which is far cheaper than asking for
 * them through Python, and those of other libraries as producers.c says. Nothing is assumed that the caller has not
 * verified: it passes the layout of Python objects in the plan and tries it on a known array first, and whatever is not
 * plainly right is answered by TL_MISMATCH, so that the general path decides. */
#include <stddef.h>
#include <string.h>

#include "producers.h"

/* What follows the object header in numpy's PyArrayObject, the same in numpy 1 and 2. */
typedef struct array_fields {
    char *data;
    int32_t rank;
    const int64_t *sizes;
    const int64_t *strides;
    const void *base;
    const void *descriptor;
    int32_t flags;
} array_fields;

enum { C_CONTIGUOUS = 0x1, ALIGNED = 0x100 };
enum { MAX_SLOTS = 256 };

static _Thread_local tl_error last_error;

void tl_last_error(tl_error *error) { *error = last_error; }

static char *item(const tl_plan *plan, const void *tuple, int64_t index) {
    char *object;
    memcpy(&object, (const char *)tuple + plan->tuple_header + index * (int64_t)sizeof object, sizeof object);
    return object;
}

/* The type pointer is the last field of every object header. */
static const void *type_of(const tl_plan *plan, const char *object) {
    const void *type;
    memcpy(&type, object + plan->object_header - sizeof type, sizeof type);
    return type;
}

static bool is_of_type(const tl_parameter *parameter, const array_fields *array) {
    return array->descriptor == parameter->descriptor && (array->flags & ALIGNED) != 0;
}

static int64_t *put_array(int64_t *slot, const array_fields *array) {
    *slot++ = (int64_t)(intptr_t)array->data;
    for (int32_t axis = 0; axis < array->rank; axis++) *slot++ = array->sizes[axis];
    return slot;
}

static int64_t *put_argument(int64_t *slot, const tl_plan *plan, const tl_parameter *parameter, char *object, tl_views *views) {
    const void *type = type_of(plan, object);
    if (type != plan->array_type) return put_object(slot, parameter, object, type, views);
    const array_fields *array = (const array_fields *)(object + plan->object_header);
    if (!is_of_type(parameter, array)) return NULL;
    if ((array->flags & C_CONTIGUOUS) == 0)
        return put_copy(slot, parameter, array->data, array->rank, array->sizes, array->strides, views);
    return sizes_fit(parameter, array->rank, array->sizes) ? put_array(slot, array) : NULL;
}

/* The slot behind the arguments and provided results, or NULL. */
static int64_t *put_arguments(int64_t *slot, const tl_plan *plan, const void *arrays, const int64_t *scalars, tl_views *views) {
    int64_t next_array = 0;
    for (int64_t i = 0; i < plan->count && slot != NULL; i++) {
        const tl_parameter *parameter = &plan->parameters[i];
        if (parameter->rank == 0)
            *slot++ = *scalars++;
        else
            slot = put_argument(slot, plan, parameter, item(plan, arrays, next_array++), views);
    }
    return slot;
}

static int32_t invoke(const tl_plan *plan, int64_t *slots) {
    void *state = leave_python();
    const int32_t status = tl_invoke_reporting(plan->kernel, slots, &last_error, plan->book);
    enter_python(state);
    return status;
}

int32_t tl_call(const tl_plan *plan, const void *arrays, const int64_t *scalars, int64_t *results) {
    int64_t slots[MAX_SLOTS];
    tl_views views;
    views.count = views.copy_count = 0;
    if (plan->slots > MAX_SLOTS) return TL_MISMATCH;
    const int64_t *returned = put_arguments(slots, plan, arrays, scalars, &views);
    const int32_t status = returned == NULL ? TL_MISMATCH : invoke(plan, slots);
    release_views(&views);
    if (status == TL_OK && plan->results > 0) memcpy(results, returned, (size_t)plan->results * sizeof *results);
    return status;
}

/* A call that raised something that is no matter of arguments ends with it. */
static void *answer(const tl_python *python, int32_t status) {
    if (status == TL_OK) {
        python->keep(python->none);
        return python->none;
    }
    return python->raised() != NULL ? NULL : python->number(status);
}

void *tl_call_from_python(void *plan, void *const *arguments, int64_t count) {
    const tl_python *python = python_functions();
    if (count != 3) return python->number(TL_MISMATCH);
    const void *scalars = arguments[1] == python->none ? NULL : python->bytes(arguments[1]);
    void *results = arguments[2] == python->none ? NULL : python->pointer(arguments[2]);
    return answer(python, tl_call(python->address(plan, NULL), arguments[0], scalars, results));
}
