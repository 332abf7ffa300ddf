/* What the other parts of the runtime need to know of the allocator. */
#ifndef TAPELESS_MEMORY_H
#define TAPELESS_MEMORY_H

#include "links.h"
#include "tapeless_runtime.h"

/* Takes the live buffers of a call out of its list; they stay allocated. */
void memory_disown(tl_link *buffers);

/* The same for one buffer; all of them put into another list. */
void memory_disown_one(void *buffer);
void memory_hand_over(tl_link *buffers, tl_link *to);

/* Frees the live buffers of a call. */
void memory_free_all(tl_link *buffers);

/* tl_alloc of `count` elements of `size` bytes; a product that overflows is out of memory. */
void *memory_alloc_array(int64_t count, int64_t size);

/* Around fork: nobody allocates while the process is copied. */
void memory_lock(void);
void memory_unlock(void);
void memory_reset_lock(void);

#endif
