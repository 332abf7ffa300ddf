/* The function that XLA calls for every kernel: the slots of a call are filled with the buffers of the program that XLA
 * compiled, so that nothing is copied but numbers. It runs on threads of XLA, several at once, and never enters Python. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exports.h"
#include "failure.h"
#include "xla.h"

enum { USUAL_SLOTS = 256, LONGEST_MESSAGE = 4096, LONGEST_NUMBER = 32, MOST_DIGITS = 17, DEEPEST_SIZE = 64 };
static const char HOLE[] = "{}";

static xla_error *refuse(const xla_frame *frame, int32_t code, const char *message) {
    xla_error_arguments arguments = {.struct_size = sizeof arguments, .message = message, .code = code};
    return frame->api->create_error(&arguments);
}

static xla_error *refuse_buffers(const xla_frame *frame, const tl_export *kernel) {
    char message[LONGEST_MESSAGE];
    snprintf(message, sizeof message,
             "the operands or results of a compiled program are not those of the kernel %s; compile the program again", kernel->name);
    return refuse(frame, XLA_INVALID_ARGUMENT, message);
}

/* XLA asks for the version before the first call; whether it did. */
static bool answer_metadata(const xla_frame *frame) {
    for (xla_extension *each = frame->extensions; each != NULL; each = each->next) {
        if (each->type != XLA_METADATA) continue;
        xla_metadata *metadata = ((xla_metadata_extension *)each)->metadata;
        metadata->version.major = XLA_MAJOR;
        metadata->version.minor = XLA_MINOR;
        metadata->traits = 0;
        return true;
    }
    return false;
}

static const xla_text *digest_of(const xla_frame *frame) {
    const xla_attributes *attributes = &frame->attributes;
    for (int64_t k = 0; k < attributes->count; k++) {
        const xla_text *name = attributes->names[k];
        const bool is_named = name->length == strlen(TL_DIGEST) && memcmp(name->start, TL_DIGEST, name->length) == 0;
        if (is_named && attributes->kinds[k] == XLA_STRING) return attributes->values[k];
    }
    return NULL;
}

/* Whether a number that is narrower than that of the kernel stands for it: programs without numbers of 64 bits have such. */
static bool can_be_widened(const tl_exchanged *wanted, const xla_buffer *buffer) {
    if (wanted->rank > 0) return false;
    return (wanted->type == XLA_F64 && buffer->type == XLA_F32) || (wanted->type == XLA_S64 && buffer->type == XLA_S32);
}

/* The types that numbers have, of 1, 4 and 8 bytes; others are those of elements alone. */
static bool is_number(int64_t type) {
    return type == XLA_TRUTH || type == XLA_S32 || type == XLA_U32 || type == XLA_S64 || type == XLA_F32 || type == XLA_F64;
}

static bool fits(const tl_exchanged *wanted, const xla_buffer *buffer, bool may_widen) {
    if (wanted->rank == 0 && !is_number(wanted->type)) return false;
    if (buffer->type != wanted->type && !(may_widen && can_be_widened(wanted, buffer))) return false;
    if (buffer->rank != wanted->rank) return false;
    for (int64_t axis = 0; axis < wanted->rank; axis++)
        if (wanted->sizes[axis] >= 0 && wanted->sizes[axis] != buffer->sizes[axis]) return false;
    return true;
}

static bool all_fit(const tl_exchanged *wanted, int64_t count, const xla_buffers *given, bool may_widen) {
    if (given->count != count) return false;
    for (int64_t k = 0; k < count; k++)
        if (!fits(&wanted[k], given->buffers[k], may_widen)) return false;
    return true;
}

/* One operator of an expression; false where it has no value. */
static bool apply(int64_t kind, int64_t left, int64_t right, int64_t *value) {
    switch (kind) {
        case TL_ADD: return !__builtin_add_overflow(left, right, value);
        case TL_SUB: return !__builtin_sub_overflow(left, right, value);
        case TL_MUL: return !__builtin_mul_overflow(left, right, value);
        case TL_FLOORDIV:
            if (right == 0 || (right == -1 && left == INT64_MIN)) return false;
            *value = left / right - (left % right != 0 && (left < 0) != (right < 0));
            return true;
        case TL_MIN: *value = left < right ? left : right; return true;
        case TL_MAX: *value = left < right ? right : left; return true;
        default: return false;
    }
}

/* Whether a size of a result is the one that the kernel fills; it writes as many elements, whatever the buffer has. */
static bool is_size(const tl_size *size, const xla_buffers *operands, int64_t given) {
    int64_t stack[DEEPEST_SIZE];
    int64_t top = 0;
    for (int64_t k = 0; k < size->count; k++) {
        const tl_size_step *step = &size->steps[k];
        if (step->kind == TL_NUMBER || step->kind == TL_DIM) {
            if (top == DEEPEST_SIZE) return false;
            stack[top++] = step->kind == TL_NUMBER ? step->a : operands->buffers[step->a]->sizes[step->b];
        } else {
            if (top < 2 || !apply(step->kind, stack[top - 2], stack[top - 1], &stack[top - 2])) return false;
            top--;
        }
    }
    return top == 1 && stack[0] == given;
}

static bool sizes_are_right(const tl_export *kernel, const xla_frame *frame) {
    const tl_size *size = kernel->sizes;
    for (int64_t k = 0; k < kernel->result_count; k++)
        for (int64_t axis = 0; axis < kernel->results[k].rank; axis++)
            if (!is_size(size++, &frame->operands, frame->results.buffers[k]->sizes[axis])) return false;
    return true;
}

static int64_t bits_of_double(double number) {
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The slot of a number: floats by their bits, integers with their sign. */
static int64_t read_number(const tl_exchanged *wanted, const xla_buffer *buffer) {
    int32_t low;
    int64_t whole = 0;
    float narrow;
    switch (buffer->type) {
        case XLA_TRUTH: return *(const uint8_t *)buffer->data != 0;
        case XLA_U32: memcpy(&whole, buffer->data, sizeof(uint32_t)); return whole;
        case XLA_S32: memcpy(&low, buffer->data, sizeof low); return low;
        case XLA_F32:
            memcpy(&narrow, buffer->data, sizeof narrow);
            if (wanted->type == XLA_F64) return bits_of_double((double)narrow);
            memcpy(&whole, &narrow, sizeof narrow);
            return whole;
        default: memcpy(&whole, buffer->data, sizeof whole); return whole;
    }
}

static void write_number(const xla_buffer *buffer, int64_t slot) {
    if (buffer->type == XLA_TRUTH)
        *(uint8_t *)buffer->data = slot != 0;
    else
        memcpy(buffer->data, &slot, buffer->type == XLA_F64 || buffer->type == XLA_S64 ? 8 : 4);
}

static int64_t *put_array(int64_t *slot, const xla_buffer *buffer) {
    *slot++ = (int64_t)(intptr_t)buffer->data;
    for (int64_t axis = 0; axis < buffer->rank; axis++) *slot++ = buffer->sizes[axis];
    return slot;
}

/* The slot behind operands and provided results: the first that the kernel fills. */
static int64_t *put_buffers(int64_t *slot, const tl_export *kernel, const xla_frame *frame) {
    for (int64_t k = 0; k < kernel->operand_count; k++) {
        const xla_buffer *buffer = frame->operands.buffers[k];
        if (buffer->rank > 0)
            slot = put_array(slot, buffer);
        else
            *slot++ = read_number(&kernel->operands[k], buffer);
    }
    for (int64_t k = 0; k < kernel->result_count; k++)
        if (frame->results.buffers[k]->rank > 0) slot = put_array(slot, frame->results.buffers[k]);
    return slot;
}

static void take_numbers(const int64_t *slot, const xla_frame *frame) {
    for (int64_t k = 0; k < frame->results.count; k++)
        if (frame->results.buffers[k]->rank == 0) write_number(frame->results.buffers[k], *slot++);
}

/* The fewest digits that mean the same number, with a point or an exponent. */
static void write_double(char *text, double number) {
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        snprintf(text, LONGEST_NUMBER, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    if (strpbrk(text, ".enia") == NULL) strcat(text, ".0");
}

static void write_value(char *text, bool is_float, int64_t value) {
    double number;
    memcpy(&number, &value, sizeof number);
    if (is_float)
        write_double(text, number);
    else
        snprintf(text, LONGEST_NUMBER, "%lld", (long long)value);
}

/* Adds text to a message of `length` characters as far as there is room; the new length. */
static size_t add(char *message, size_t length, const char *text, size_t count) {
    const size_t room = LONGEST_MESSAGE - 1 - length;
    const size_t added = count < room ? count : room;
    memcpy(message + length, text, added);
    message[length + added] = '\0';
    return length + added;
}

static void explain_check(char *message, const tl_site *site, const tl_error *error) {
    size_t length = add(message, 0, site->before, strlen(site->before));
    const char *rest = site->message, *hole;
    for (int64_t k = 0; (hole = strstr(rest, HOLE)) != NULL; k++) {
        char number[LONGEST_NUMBER] = "?";
        if (k < error->count) write_value(number, (site->floats >> k & 1) != 0, error->values[k]);
        length = add(message, length, rest, (size_t)(hole - rest));
        length = add(message, length, number, strlen(number));
        rest = hole + strlen(HOLE);
    }
    length = add(message, length, rest, strlen(rest));
    add(message, length, site->behind, strlen(site->behind));
}

static xla_error *explain(const xla_frame *frame, const tl_export *kernel, const tl_error *error) {
    char message[LONGEST_MESSAGE];
    if (error->kind == TL_CHECK_FAILED && error->site >= 0 && error->site < kernel->site_count) {
        explain_check(message, &kernel->sites[error->site], error);
        return refuse(frame, XLA_INVALID_ARGUMENT, message);
    }
    if (error->kind == TL_OUT_OF_MEMORY) {
        snprintf(message, sizeof message, "MemoryError: the kernel %s asked for %lld bytes; use smaller arrays", kernel->name,
                 (long long)error->bytes);
        return refuse(frame, XLA_RESOURCE_EXHAUSTED, message);
    }
    snprintf(message, sizeof message, "the kernel %s failed with kind %d at the unknown site %lld; compile it again", kernel->name,
             (int)error->kind, (long long)error->site);
    return refuse(frame, XLA_INTERNAL, message);
}

static xla_error *run(const xla_frame *frame, const tl_export *kernel, int64_t *slots) {
    tl_error error;
    const int64_t *returned = put_buffers(slots, kernel, frame);
    if (invoke_to_the_end(kernel->kernel, slots, &error) != TL_OK) return explain(frame, kernel, &error);
    take_numbers(returned, frame);
    return NULL;
}

void *tl_xla_call(void *given) {
    const xla_frame *frame = given;
    if (answer_metadata(frame)) return NULL;
    const xla_text *digest = digest_of(frame);
    const tl_export *kernel = digest == NULL ? NULL : find_export(digest->start, digest->length);
    if (kernel == NULL)
        return refuse(frame, XLA_NOT_FOUND,
                      "this process has no kernel of the digest that a compiled program names; call the function of tl.to_jax "
                      "in this process first, for example with jax.eval_shape, or compile the program again");
    if (!all_fit(kernel->operands, kernel->operand_count, &frame->operands, true)) return refuse_buffers(frame, kernel);
    if (!all_fit(kernel->results, kernel->result_count, &frame->results, false)) return refuse_buffers(frame, kernel);
    if (!sizes_are_right(kernel, frame)) return refuse_buffers(frame, kernel);
    if (kernel->slots <= USUAL_SLOTS) {
        int64_t slots[USUAL_SLOTS];
        return run(frame, kernel, slots);
    }
    int64_t *slots = malloc((size_t)kernel->slots * sizeof *slots);
    if (slots == NULL) return refuse(frame, XLA_RESOURCE_EXHAUSTED, "there is no memory for the arguments of a kernel");
    xla_error *error = run(frame, kernel, slots);
    free(slots);
    return error;
}
