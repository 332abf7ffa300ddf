/* Allocation for kernels: counted, limited, and owned by the call until freed or returned. */
#include "memory.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "block.h"
#include "failure.h"
#include "machine.h"

enum { STORE_SHARE = 8 };                      /* freed buffers may hold this share of the memory limit ... */
static const int64_t STORE_CAP = 1LL << 30;    /* ... and never more than this */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tl_counters counters;
static int64_t limit; /* 0: the machine's memory */

void memory_lock(void) { pthread_mutex_lock(&lock); }
void memory_unlock(void) { pthread_mutex_unlock(&lock); }
void memory_reset_lock(void) { pthread_mutex_init(&lock, NULL); }

static int64_t current_limit(void) { return limit > 0 ? limit : machine_memory_bytes(); }

static int64_t store_cap(void) {
    int64_t share = current_limit() / STORE_SHARE;
    return share < STORE_CAP ? share : STORE_CAP;
}

static tl_block *obtain(int64_t bytes) {
    if (bytes < 0 || bytes > current_limit() - counters.live_bytes) return NULL;
    tl_block *block = store_take(bytes);
    if (block != NULL) {
        counters.recycled++;
        return block;
    }
    block = block_create(bytes);
    if (block == NULL) {
        store_shrink(0);
        block = block_create(bytes);
    }
    return block;
}

static void make_live(tl_block *block, int64_t bytes, tl_link *owner) {
    block->bytes = bytes;
    block->state = TL_BLOCK_LIVE;
    if (owner != NULL) link_append(owner, &block->owner);
    counters.allocations++;
    counters.live_bytes += bytes;
    if (counters.live_bytes > counters.peak_bytes) counters.peak_bytes = counters.live_bytes;
}

static void release(tl_block *block) {
    if (block->state != TL_BLOCK_LIVE) {
        fprintf(stderr, "tapeless: tl_free of something that is no live buffer\n");
        abort();
    }
    link_remove(&block->owner);
    block->state = TL_BLOCK_FREED;
    counters.live_bytes -= block->bytes;
    store_put(block, store_cap());
}

void *tl_alloc(int64_t bytes) {
    tl_frame *frame = frame_current();
    const sig_atomic_t was_busy = frame_set_busy(frame, 1);
    memory_lock();
    tl_block *block = obtain(bytes);
    if (block != NULL) make_live(block, bytes, frame == NULL ? NULL : frame->buffers);
    memory_unlock();
    frame_set_busy(frame, was_busy);
    if (block != NULL) return block_buffer(block);
    if (frame == NULL) return NULL;
    frame_raise(&(tl_error){.kind = TL_OUT_OF_MEMORY, .bytes = bytes});
}

void *tl_alloc_outside(int64_t bytes) {
    tl_frame *frame = frame_current();
    const sig_atomic_t was_busy = frame_set_busy(frame, 1);
    memory_lock();
    tl_block *block = obtain(bytes);
    if (block != NULL) make_live(block, bytes, NULL);
    memory_unlock();
    frame_set_busy(frame, was_busy);
    return block == NULL ? NULL : block_buffer(block);
}

void *memory_alloc_array(int64_t count, int64_t size) {
    int64_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = INT64_MAX;
    return tl_alloc(bytes);
}

void tl_free(void *buffer) {
    if (buffer == NULL) return;
    tl_frame *frame = frame_current();
    const sig_atomic_t was_busy = frame_set_busy(frame, 1);
    memory_lock();
    release(block_of_buffer(buffer));
    memory_unlock();
    frame_set_busy(frame, was_busy);
}

void memory_disown(tl_link *buffers) {
    if (link_is_alone(buffers)) return;
    memory_lock();
    while (!link_is_alone(buffers)) link_remove(buffers->next);
    memory_unlock();
}

void memory_disown_one(void *buffer) {
    memory_lock();
    link_remove(&block_of_buffer(buffer)->owner);
    memory_unlock();
}

void memory_hand_over(tl_link *buffers, tl_link *to) {
    if (link_is_alone(buffers)) return;
    memory_lock();
    while (!link_is_alone(buffers)) {
        tl_link *first = buffers->next;
        link_remove(first);
        link_append(to, first);
    }
    memory_unlock();
}

void memory_free_all(tl_link *buffers) {
    memory_lock();
    while (!link_is_alone(buffers)) release(TL_BLOCK_OF(buffers->next, owner));
    memory_unlock();
}

void tl_read_counters(tl_counters *out) {
    memory_lock();
    *out = counters;
    out->cached_bytes = store_bytes();
    memory_unlock();
}

int64_t tl_peak_bytes(void) {
    tl_counters now;
    tl_read_counters(&now);
    return now.peak_bytes;
}

void tl_reset_peak(void) {
    memory_lock();
    counters.peak_bytes = counters.live_bytes;
    memory_unlock();
}

void tl_trim(void) {
    memory_lock();
    store_shrink(0);
    memory_unlock();
}

int64_t tl_memory_limit(void) {
    memory_lock();
    int64_t bytes = current_limit();
    memory_unlock();
    return bytes;
}

void tl_set_memory_limit(int64_t bytes) {
    memory_lock();
    limit = bytes > 0 ? bytes : 0;
    store_shrink(store_cap());
    memory_unlock();
}
