/* Calls with numpy arrays: reads address and sizes from the array objects themselves, which is far cheaper than
 * asking for them through Python. Nothing is assumed that the caller has not verified: it passes the layout of Python
 * objects in the plan and tries it on a known array first, and whatever is not plainly right is answered by
 * TL_MISMATCH, so that the general path decides. */
#include <stddef.h>
#include <string.h>

#include "tapeless_runtime.h"

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

enum { C_CONTIGUOUS = 0x1, ALIGNED = 0x100, READY = C_CONTIGUOUS | ALIGNED };
enum { MAX_SLOTS = 256 };

static _Thread_local tl_error last_error;

void tl_last_error(tl_error *error) { *error = last_error; }

static const char *item(const tl_plan *plan, const void *tuple, int64_t index) {
    const char *object;
    memcpy(&object, (const char *)tuple + plan->tuple_header + index * (int64_t)sizeof object, sizeof object);
    return object;
}

/* The type pointer is the last field of every object header. */
static const void *type_of(const tl_plan *plan, const char *object) {
    const void *type;
    memcpy(&type, object + plan->object_header - sizeof type, sizeof type);
    return type;
}

static int fits(const tl_plan *plan, const tl_parameter *parameter, const char *object, const array_fields *array) {
    if (type_of(plan, object) != plan->array_type || array->descriptor != parameter->descriptor) return 0;
    if (array->rank != parameter->rank || (array->flags & READY) != READY) return 0;
    for (int32_t axis = 0; axis < array->rank; axis++) {
        const int64_t size = array->sizes[axis];
        if (size > TL_LONGEST_AXIS || (parameter->sizes[axis] >= 0 && size != parameter->sizes[axis])) return 0;
    }
    return 1;
}

static int64_t *put_array(int64_t *slot, const array_fields *array) {
    *slot++ = (int64_t)(intptr_t)array->data;
    for (int32_t axis = 0; axis < array->rank; axis++) *slot++ = array->sizes[axis];
    return slot;
}

int32_t tl_call(const tl_plan *plan, const void *arrays, const int64_t *scalars, int64_t *results) {
    int64_t slots[MAX_SLOTS];
    int64_t *slot = slots;
    int64_t next_array = 0;
    if (plan->slots > MAX_SLOTS) return TL_MISMATCH;
    for (int64_t i = 0; i < plan->count; i++) {
        const tl_parameter *parameter = &plan->parameters[i];
        if (parameter->rank == 0) {
            *slot++ = *scalars++;
            continue;
        }
        const char *object = item(plan, arrays, next_array++);
        const array_fields *array = (const array_fields *)(object + plan->object_header);
        if (!fits(plan, parameter, object, array)) return TL_MISMATCH;
        slot = put_array(slot, array);
    }
    const int32_t status = tl_invoke_reporting(plan->kernel, slots, &last_error, plan->book);
    if (status == TL_OK && plan->results > 0) memcpy(results, slot, (size_t)plan->results * sizeof *results);
    return status;
}
