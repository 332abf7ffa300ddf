/* Running a kernel, and ending it early from any depth. */
#include "failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_mode.h"
#include "interrupt.h"
#include "memory.h"
#include "report.h"

_Static_assert(sizeof(tl_error) == 96, "the Python loader mirrors this layout");

_Thread_local tl_frame *frame_innermost;

void frame_enter(tl_frame *frame, tl_error *error, tl_link *buffers, tl_page *page, bool in_chunk) {
    frame->error = error;
    frame->buffers = buffers;
    frame->page = page;
    frame->in_chunk = in_chunk;
    frame->flushes = false;
    frame->busy = 1;
    frame->outer = frame_innermost;
    frame_innermost = frame;
}

void frame_leave(const tl_frame *frame) {
    if (frame->flushes) float_mode_set(frame->mode_before);
    frame_innermost = frame->outer;
}

_Noreturn void frame_raise(const tl_error *error) {
    if (frame_innermost == NULL) {
        fprintf(stderr, "tapeless: a kernel failed (kind %d, site %lld) outside tl_invoke; run kernels with tl_invoke\n",
                (int)error->kind, (long long)error->site);
        abort();
    }
    frame_innermost->busy = 1;
    *frame_innermost->error = *error;
    siglongjmp(frame_innermost->landing, 1);
}

int32_t tl_abi_version(void) { return TL_ABI_VERSION; }

static int32_t invoke(tl_kernel kernel, int64_t *slots, tl_error *error, tl_book *book, void *results, bool may_end) {
    tl_link buffers;
    tl_frame frame;
    link_init(&buffers);
    error->kind = TL_OK;
    tl_page *page = report_begin(book);
    frame_enter(&frame, error, &buffers, page, frame_current() != NULL && frame_current()->in_chunk);
    const bool watched = may_end && frame.outer == NULL && interrupt_watch(&buffers);
    if (sigsetjmp(frame.landing, 0) == 0) {
        frame.busy = 0;
        kernel(slots);
        frame.busy = 1;
        if (watched) interrupt_unwatch();
        frame_leave(&frame);
        if (results == NULL)
            memory_disown(&buffers);
        else
            memory_hand_over(&buffers, results);
    } else {
        if (watched) interrupt_unwatch();
        frame_leave(&frame);
        memory_free_all(&buffers);
    }
    return error->kind;
}

int32_t tl_invoke(tl_kernel kernel, int64_t *slots, tl_error *error) {
    return tl_invoke_reporting(kernel, slots, error, NULL);
}

int32_t tl_invoke_reporting(tl_kernel kernel, int64_t *slots, tl_error *error, tl_book *book) {
    return tl_invoke_owning(kernel, slots, error, book, NULL);
}

int32_t tl_invoke_owning(tl_kernel kernel, int64_t *slots, tl_error *error, tl_book *book, void *results) {
    return invoke(kernel, slots, error, book, results, true);
}

int32_t invoke_to_the_end(tl_kernel kernel, int64_t *slots, tl_error *error) {
    return invoke(kernel, slots, error, NULL, NULL, false);
}

_Noreturn void tl_fail(int64_t site, int64_t count, const int64_t *values) {
    tl_error error = {.kind = TL_CHECK_FAILED, .site = site};
    error.count = count < 0 ? 0 : count > TL_ERROR_VALUES ? TL_ERROR_VALUES : count;
    if (error.count > 0) memcpy(error.values, values, (size_t)error.count * sizeof *values);
    frame_raise(&error);
}
