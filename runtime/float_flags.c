/* What the processor notes of a thread's arithmetic: whether a result was too large, infinite or no number. */
#include <stdint.h>

#include "tapeless_runtime.h"

#if defined(__aarch64__)
enum { ALL = 0x1f, NOT_FINITE = 0x07 };

static uint64_t flags(void) {
    uint64_t found;
    __asm__ volatile("mrs %0, fpsr" : "=r"(found));
    return found;
}

static void clear(void) { __asm__ volatile("msr fpsr, %0" : : "r"(flags() & ~(uint64_t)ALL)); }
#elif defined(__x86_64__)
#include <xmmintrin.h>
enum { ALL = 0x3f, NOT_FINITE = 0x0d };

static uint64_t flags(void) { return _mm_getcsr(); }

static void clear(void) { _mm_setcsr(_mm_getcsr() & ~(unsigned)ALL); }
#else
/* Nothing is known: everything is looked at as if it had overflowed. */
enum { NOT_FINITE = 1 };

static uint64_t flags(void) { return NOT_FINITE; }

static void clear(void) {}
#endif

/* Writing the flags takes as long as hundreds of additions, and there is hardly ever anything to clear. */
void tl_watch_floats(void) {
    if (flags() & NOT_FINITE) clear();
}

int64_t tl_saw_infinite(void) { return (flags() & NOT_FINITE) != 0; }
