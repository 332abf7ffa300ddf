/* How the calling thread's arithmetic takes denormal numbers. */
#ifndef TAPELESS_FLOAT_MODE_H
#define TAPELESS_FLOAT_MODE_H

#include <stdint.h>

/* The mode of this thread, to be set again later. */
uint64_t float_mode(void);
void float_mode_set(uint64_t mode);

/* The modes in which denormal numbers are taken for zeros and results that would be denormal are zeros, and in which
 * they are numbers as all others. */
uint64_t float_mode_flushing(uint64_t mode);
uint64_t float_mode_keeping(uint64_t mode);

#endif
