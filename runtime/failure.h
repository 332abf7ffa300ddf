/* Catch points: where a failure lands, and which call the code below it works for. */
#ifndef TAPELESS_FAILURE_H
#define TAPELESS_FAILURE_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "links.h"
#include "tapeless_runtime.h"

/* A frame is entered before sigsetjmp(frame.landing, 0) and left on both of its returns. */
typedef struct tl_frame {
    sigjmp_buf landing;
    tl_error *error;   /* filled before the jump */
    tl_link *buffers;  /* the live buffers of the call, or NULL outside tl_invoke */
    tl_page *page;     /* where the call reports, or NULL */
    bool in_chunk;     /* below a chunk of tl_parallel */
    bool flushes;      /* takes denormal numbers for zeros, which the thread did not before */
    uint64_t mode_before;
    volatile sig_atomic_t busy; /* in the runtime: must not be left by a signal handler */
    struct tl_frame *outer;
} tl_frame;

/* One pointer fits into what the system keeps free for libraries that are loaded late, so that reading it is one load. */
extern _Thread_local tl_frame *frame_innermost __attribute__((tls_model("initial-exec")));

/* The innermost frame of this thread, or NULL. */
static inline tl_frame *frame_current(void) { return frame_innermost; }

void frame_enter(tl_frame *frame, tl_error *error, tl_link *buffers, tl_page *page, bool in_chunk);
void frame_leave(const tl_frame *frame);

/* Marks a frame, if there is one, and returns how it was marked before. */
static inline sig_atomic_t frame_set_busy(tl_frame *frame, sig_atomic_t busy) {
    if (frame == NULL) return busy;
    const sig_atomic_t before = frame->busy;
    frame->busy = busy;
    return before;
}

/* Jumps to the innermost frame with a copy of `error`; aborts the process when there is none. */
_Noreturn void frame_raise(const tl_error *error);

/* As tl_invoke, for callers other than the program that set the host: signal handlers of that run when the call is over. */
int32_t invoke_to_the_end(tl_kernel kernel, int64_t *slots, tl_error *error);

#endif
