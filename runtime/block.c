/* Size classes and the store of freed blocks: reusing pages that are already mapped is what makes repeated calls cheap. */
#include "block.h"

#include <stddef.h>
#include <stdlib.h>

_Static_assert(sizeof(tl_block) == TL_ALIGNMENT, "a buffer starts one cache line after its header");

/* Four classes per power of two waste at most a quarter; 8 * 64 indices cover every size. */
enum { CLASSES_PER_DOUBLING = 8, CLASS_COUNT = CLASSES_PER_DOUBLING * 64 };

enum { COLOURED_BYTES = 16 << 10, COLOURS = 7, COLOUR_LINES = 9 };

typedef struct size_class {
    int32_t index;
    int64_t capacity;
} size_class;

static tl_link classes[CLASS_COUNT];
static tl_link ages;
static int64_t held_bytes;

__attribute__((constructor)) static void store_init(void) {
    for (int index = 0; index < CLASS_COUNT; index++) link_init(&classes[index]);
    link_init(&ages);
}

static int bit_width(uint64_t value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

/* A class is a number of cache lines with at most three significant bits and the number of zeros after them. */
static size_class class_of(int64_t bytes) {
    int64_t lines = bytes / TL_ALIGNMENT + (bytes % TL_ALIGNMENT != 0);
    if (lines == 0) lines = 1;
    int width = bit_width((uint64_t)(lines - 1));
    int shift = width > 3 ? width - 3 : 0;
    int64_t leading = (lines + (INT64_C(1) << shift) - 1) >> shift;
    return (size_class){
        .index = (int32_t)(shift * CLASSES_PER_DOUBLING + leading - 1),
        .capacity = (leading << shift) * TL_ALIGNMENT,
    };
}

/* Large blocks start at different distances from a page boundary; otherwise arrays that a loop walks in step would
 * compete for the same cache sets. */
static int64_t next_offset(int64_t capacity) {
    static int64_t colour;
    if (capacity < COLOURED_BYTES) return 0;
    colour = (colour + 1) % COLOURS;
    return colour * COLOUR_LINES * TL_ALIGNMENT;
}

tl_block *block_create(int64_t bytes) {
    size_class class = class_of(bytes);
    int64_t offset = next_offset(class.capacity);
    void *memory = NULL;
    if (posix_memalign(&memory, TL_ALIGNMENT, (size_t)(class.capacity + offset) + sizeof(tl_block)) != 0) return NULL;
    tl_block *block = (tl_block *)((char *)memory + offset);
    *block = (tl_block){
        .capacity = class.capacity,
        .size_class = class.index,
        .state = TL_BLOCK_FREED,
        .memory = memory,
    };
    link_init(&block->owner);
    link_init(&block->age);
    return block;
}

static void block_destroy(tl_block *block) { free(block->memory); }

static void store_remove(tl_block *block) {
    link_remove(&block->owner);
    link_remove(&block->age);
    held_bytes -= block->capacity;
}

tl_block *store_take(int64_t bytes) {
    tl_link *anchor = &classes[class_of(bytes).index];
    if (link_is_alone(anchor)) return NULL;
    /* The youngest block is the one most likely still in a cache. */
    tl_block *block = TL_BLOCK_OF(anchor->previous, owner);
    store_remove(block);
    return block;
}

void store_put(tl_block *block, int64_t cap) {
    if (block->capacity > cap) {
        block_destroy(block);
        return;
    }
    link_append(&classes[block->size_class], &block->owner);
    link_append(&ages, &block->age);
    held_bytes += block->capacity;
    store_shrink(cap);
}

void store_shrink(int64_t cap) {
    while (held_bytes > cap) {
        tl_block *oldest = TL_BLOCK_OF(ages.next, age);
        store_remove(oldest);
        block_destroy(oldest);
    }
}

int64_t store_bytes(void) { return held_bytes; }
