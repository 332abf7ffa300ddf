/* How much is left of a thread's stack, for functions that call themselves. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "tapeless_runtime.h"

/* Kept free for what such a function calls, and for the host's signal handlers, which run on top of it. */
enum { RESERVE_BYTES = 1 << 20, LARGEST_SHARE = 2 };

/* The lowest address that a frame of this thread may have; 1 stands for a limit that is not known yet. */
static _Thread_local uintptr_t lowest = 1;

typedef struct extent {
    uintptr_t bottom;
    size_t size; /* 0 when the stack cannot be found */
} extent;

#ifdef __APPLE__
static extent find_stack(void) {
    const size_t size = pthread_get_stacksize_np(pthread_self());
    return (extent){(uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size, size};
}
#else
static extent find_stack(void) {
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return (extent){0, 0};
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    return (extent){(uintptr_t)bottom, size};
}
#endif

/* A thread whose stack cannot be found is not stopped. */
static uintptr_t find_lowest(void) {
    const extent stack = find_stack();
    return stack.bottom + (stack.size / LARGEST_SHARE < RESERVE_BYTES ? stack.size / LARGEST_SHARE : RESERVE_BYTES);
}

int64_t tl_stack_left(void) {
    const extent stack = find_stack();
    return stack.size == 0 ? INT64_MAX : (int64_t)((uintptr_t)__builtin_frame_address(0) - stack.bottom);
}

/* The first look at a thread's own variable can allocate, as asking for its stack does: neither may be left by a jump. */
void tl_check_stack(int64_t site) {
    tl_frame *frame = frame_current();
    const sig_atomic_t before = frame_set_busy(frame, 1);
    if (lowest == 1) lowest = find_lowest();
    const uintptr_t limit = lowest;
    frame_set_busy(frame, before);
    if ((uintptr_t)__builtin_frame_address(0) < limit) tl_fail(site, 0, NULL);
}
