/* Kernels that exercise the C runtime; each reads and writes the slots its comment names. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "tapeless_runtime.h"

typedef struct range_sum {
    int64_t *chunk_sums;
    int64_t grain;
} range_sum;

static void sum_chunk(int64_t lo, int64_t hi, void *context) {
    range_sum *sum = context;
    int64_t total = 0;
    for (int64_t i = lo; i < hi; i++) total += i;
    sum->chunk_sums[lo / sum->grain] = total * 1000 + (hi - lo);
}

/* slots: [chunk sums, n, grain, threads] */
void chunk_sums(int64_t *slots) {
    range_sum sum = {(int64_t *)slots[0], slots[2]};
    tl_parallel(sum_chunk, &sum, slots[1], slots[2], slots[3]);
}

static void failing_chunk(int64_t lo, int64_t hi, void *context) {
    int64_t *slots = context;
    tl_alloc(1000);
    atomic_fetch_add((_Atomic int64_t *)&slots[3], 1);
    if (lo >= slots[2]) tl_fail(7, 2, (int64_t[]){lo, hi});
}

/* slots: [n, threads, first index that fails, chunks started]; chunks of 1 that leak a buffer each */
void fail_from(int64_t *slots) {
    tl_alloc(5000);
    tl_parallel(failing_chunk, slots, slots[0], 1, slots[1]);
}

/* slots: [site, count, values...] */
void fail_directly(int64_t *slots) { tl_fail(slots[0], slots[1], slots + 2); }

/* slots: [bytes, address of the buffer, which the caller owns afterwards] */
void return_buffer(int64_t *slots) { slots[1] = (int64_t)tl_alloc(slots[0]); }

/* slots: [bytes, second bytes]; frees both */
void allocate_twice(int64_t *slots) {
    char *first = tl_alloc(slots[0]), *second = tl_alloc(slots[1]);
    if (slots[0] > 0) first[slots[0] - 1] = 1;
    if (slots[1] > 0) second[slots[1] - 1] = 1;
    tl_free(first);
    tl_free(second);
}

static void huge_chunk(int64_t lo, int64_t hi, void *context) {
    (void)hi;
    (void)context;
    tl_alloc(lo == 3 ? INT64_MAX : 64);
}

/* slots: [threads]; chunk 3 of 8 asks for too much */
void allocate_in_chunks(int64_t *slots) { tl_parallel(huge_chunk, 0, 8, 1, slots[0]); }

static void inner_chunk(int64_t lo, int64_t hi, void *context) {
    int64_t *counts = context;
    for (int64_t i = lo; i < hi; i++) counts[i]++;
}

static void outer_chunk(int64_t lo, int64_t hi, void *context) {
    int64_t *slots = context;
    for (int64_t i = lo; i < hi; i++) tl_parallel(inner_chunk, (int64_t *)slots[0] + i * slots[1], slots[1], 2, 8);
}

/* slots: [counts (n x n), n] */
void nested(int64_t *slots) { tl_parallel(outer_chunk, slots, slots[1], 1, 4); }

static void inner_kernel(int64_t *slots) { tl_fail(slots[0], 0, 0); }

/* slots: [number of failed inner calls]; a kernel that runs kernels */
void reenter(int64_t *slots) {
    tl_error error;
    for (int64_t site = 1; site <= 3; site++)
        if (tl_invoke(inner_kernel, &site, &error) == TL_CHECK_FAILED && error.site == site) slots[0]++;
    tl_fail(99, 1, slots);
}

typedef struct meeting {
    pthread_barrier_t barrier;
} meeting;

static void meet(int64_t lo, int64_t hi, void *context) {
    (void)lo;
    (void)hi;
    pthread_barrier_wait(&((meeting *)context)->barrier);
}

/* slots: [k]; k chunks that end only when all k run at the same time, so it needs k threads */
void meet_all(int64_t *slots) {
    meeting meeting;
    pthread_barrier_init(&meeting.barrier, 0, (unsigned)slots[0]);
    tl_parallel(meet, &meeting, slots[0], 1, slots[0]);
    pthread_barrier_destroy(&meeting.barrier);
}

static void reporting_chunk(int64_t lo, int64_t hi, void *context) {
    const int64_t *slots = context;
    for (int64_t i = lo; i < hi; i++) {
        tl_report(slots[2], i % 10 != 0, i == slots[3] ? NAN : (double)((i * 7919) % slots[0]));
        if (i % 100 == 0) tl_note(slots[2] + 1, i, -i, 0, 0, 0, 0, 0, 0);
    }
}

/* slots: [n, threads, site, index of what is not a number]; fails every tenth time, notes every hundredth time */
void report_many(int64_t *slots) { tl_parallel(reporting_chunk, slots, slots[0], 16, slots[1]); }

static void roots_chunk(int64_t lo, int64_t hi, void *context) {
    double *y = context;
    for (int64_t i = lo; i < hi; i++) y[i] = sqrt((double)i);
}

/* slots: [y, n, grain, threads] */
void roots(int64_t *slots) { tl_parallel(roots_chunk, (void *)slots[0], slots[1], slots[2], slots[3]); }
