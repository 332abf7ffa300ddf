/* Buffers with their headers, and the store of freed ones. The allocator's lock guards all of it. */
#ifndef TAPELESS_BLOCK_H
#define TAPELESS_BLOCK_H

#include "links.h"
#include "tapeless_runtime.h"

enum { TL_ALIGNMENT = 64 };

enum tl_block_state { TL_BLOCK_LIVE = 0x4c495645, TL_BLOCK_FREED = 0x46524545 };

/* The cache line in front of a buffer. */
typedef struct tl_block {
    tl_link owner;       /* while live: the call's buffers; while freed: its size class */
    tl_link age;         /* while freed: all freed blocks, oldest first */
    int64_t bytes;       /* asked for */
    int64_t capacity;    /* usable; the same for all blocks of a size class */
    int32_t size_class;
    int32_t state;
    void *memory;        /* what the system gave */
} tl_block;

/* The link `member` of a block, back to the block. */
#define TL_BLOCK_OF(link, member) ((tl_block *)((char *)(link) - offsetof(tl_block, member)))

static inline void *block_buffer(tl_block *block) { return block + 1; }
static inline tl_block *block_of_buffer(void *buffer) { return (tl_block *)buffer - 1; }

/* A block of at least `bytes` from the system, or NULL. */
tl_block *block_create(int64_t bytes);

/* A freed block of the size class of `bytes`, or NULL. */
tl_block *store_take(int64_t bytes);

/* Keeps a block for reuse, and gives the oldest ones back to the system while the store holds more than `cap` bytes; a
 * block larger than that is given back itself. */
void store_put(tl_block *block, int64_t cap);

/* Gives the oldest blocks back to the system until the store holds at most `cap` bytes. */
void store_shrink(int64_t cap);

int64_t store_bytes(void);

#endif
