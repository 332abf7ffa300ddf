/* Denormal numbers as zeros: a mode of the processor, which a call enters and leaves however it ends.
 *
 * A processor may take many times as long for arithmetic on numbers nearer to zero than normal ones are. The mode
 * belongs to a thread and lasts, so the frame of a call keeps what it was before: jumps to a catch point do not. */
#include "float_mode.h"

#include "failure.h"

#if defined(__aarch64__)
enum { FLUSH = 1 << 24 };

uint64_t float_mode(void) {
    uint64_t found;
    __asm__ volatile("mrs %0, fpcr" : "=r"(found));
    return found;
}

void float_mode_set(uint64_t mode) { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }
#elif defined(__x86_64__)
#include <xmmintrin.h>
enum { FLUSH = 0x8040 }; /* results, and operands */

uint64_t float_mode(void) { return _mm_getcsr(); }

void float_mode_set(uint64_t mode) { _mm_setcsr((unsigned)mode); }
#else
enum { FLUSH = 0 };

uint64_t float_mode(void) { return 0; }

void float_mode_set(uint64_t mode) { (void)mode; }
#endif

uint64_t float_mode_flushing(uint64_t mode) { return mode | (uint64_t)FLUSH; }

uint64_t float_mode_keeping(uint64_t mode) { return mode & ~(uint64_t)FLUSH; }

void tl_flush_denormals(void) {
    tl_frame *frame = frame_current();
    if (frame == NULL || frame->flushes) return;
    frame->mode_before = float_mode();
    frame->flushes = true;
    float_mode_set(float_mode_flushing(frame->mode_before));
}
