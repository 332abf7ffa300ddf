/* Catch points: where a failure lands, and which call the code below it works for. */
#ifndef TAPELESS_FAILURE_H
#define TAPELESS_FAILURE_H

#include <setjmp.h>
#include <stdbool.h>

#include "links.h"
#include "tapeless_runtime.h"

/* A frame is entered before sigsetjmp(frame.landing, 0) and left on both of its returns. */
typedef struct tl_frame {
    sigjmp_buf landing;
    tl_error *error;   /* filled before the jump */
    tl_link *buffers;  /* the live buffers of the call, or NULL outside tl_invoke */
    bool in_chunk;     /* below a chunk of tl_parallel */
    struct tl_frame *outer;
} tl_frame;

/* The innermost frame of this thread, or NULL. */
tl_frame *frame_current(void);

void frame_enter(tl_frame *frame, tl_error *error, tl_link *buffers, bool in_chunk);
void frame_leave(const tl_frame *frame);

/* Jumps to the innermost frame with a copy of `error`; aborts the process when there is none. */
_Noreturn void frame_raise(const tl_error *error);

#endif
