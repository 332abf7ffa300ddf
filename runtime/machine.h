/* What this process may use of the machine; each answer is found once and kept. */
#ifndef TAPELESS_MACHINE_H
#define TAPELESS_MACHINE_H

#include <stdint.h>

/* The memory of the machine, or of the control group that this process is confined to. */
int64_t machine_memory_bytes(void);

/* The processors this process may run on, at least 1. */
int64_t machine_processors(void);

#endif
