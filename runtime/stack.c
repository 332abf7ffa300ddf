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

#ifdef __APPLE__
static uintptr_t find_lowest(void) {
    const size_t size = pthread_get_stacksize_np(pthread_self());
    const uintptr_t bottom = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size;
    return bottom + (size / LARGEST_SHARE < RESERVE_BYTES ? size / LARGEST_SHARE : RESERVE_BYTES);
}
#else
/* A thread whose stack cannot be found is not stopped. */
static uintptr_t find_lowest(void) {
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)bottom + (size / LARGEST_SHARE < RESERVE_BYTES ? size / LARGEST_SHARE : RESERVE_BYTES);
}
#endif

/* The first look at a thread's own variable can allocate, as asking for its stack does: neither may be left by a jump. */
void tl_check_stack(int64_t site) {
    tl_frame *frame = frame_current();
    const sig_atomic_t before = frame_set_busy(frame, 1);
    if (lowest == 1) lowest = find_lowest();
    const uintptr_t limit = lowest;
    frame_set_busy(frame, before);
    if ((uintptr_t)__builtin_frame_address(0) < limit) tl_fail(site, 0, NULL);
}
