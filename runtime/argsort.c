/* Stable argsort: every element type becomes a 64-bit integer key of the same order, which is sorted byte by byte. */
#include <string.h>

#include "failure.h"
#include "interrupt.h"
#include "memory.h"
#include "tapeless_runtime.h"

enum { FEW = 48, DIGITS = 8, VALUES = 256, POLL_EVERY = 1 << 18 };

typedef struct entry {
    int64_t key;
    int64_t index;
} entry;

/* The bits of a double order like integers once those of negative numbers are mirrored; -0 gets the key of 0. */
static int64_t key_of_double(double value) {
    int64_t bits;
    if (value != value) return INT64_MAX;
    if (value == 0) return 0;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static void sort_few(entry *entries, int64_t n) {
    for (int64_t end = 1; end < n; end++) {
        entry inserted = entries[end];
        int64_t at = end;
        for (; at > 0 && entries[at - 1].key > inserted.key; at--) entries[at] = entries[at - 1];
        entries[at] = inserted;
    }
}

/* A byte of a key; keys as unsigned numbers are in order once their sign is turned. */
static int digit_of(int64_t key, int digit) {
    return (int)((((uint64_t)key ^ (uint64_t)INT64_MIN) >> (8 * digit)) & (VALUES - 1));
}

/* The bits in which some key differs from the first. */
static uint64_t varying_bits(const entry *entries, int64_t n) {
    uint64_t varying = 0;
    for (int64_t i = 1; i < n; i++) varying |= (uint64_t)(entries[i].key ^ entries[0].key);
    return varying;
}

/* Moves entries to where those with their value of a digit belong, in their present order. */
static void sort_by_digit(const entry *from, entry *to, int64_t n, int digit) {
    int64_t places[VALUES] = {0};
    int64_t start = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i % POLL_EVERY == 0) interrupt_poll();
        places[digit_of(from[i].key, digit)]++;
    }
    for (int value = 0; value < VALUES; value++) {
        int64_t count = places[value];
        places[value] = start;
        start += count;
    }
    for (int64_t i = 0; i < n; i++) {
        if (i % POLL_EVERY == 0) interrupt_poll();
        to[places[digit_of(from[i].key, digit)]++] = from[i];
    }
}

/* Sorts `entries` with `spare` as working space and returns the one of them that holds the result.
   Digits in which all keys agree are left out: small integers need one or two passes. */
static entry *radix_sort(entry *entries, entry *spare, int64_t n) {
    uint64_t varying = varying_bits(entries, n);
    for (int digit = 0; digit < DIGITS; digit++) {
        if (((varying >> (8 * digit)) & (VALUES - 1)) == 0) continue;
        sort_by_digit(entries, spare, n, digit);
        entry *swapped = entries;
        entries = spare;
        spare = swapped;
    }
    return entries;
}

static entry *sort(entry *entries, entry *spare, int64_t n) {
    if (n > FEW) return radix_sort(entries, spare, n);
    sort_few(entries, n);
    return entries;
}

static void sort_and_release(entry *entries, int64_t n, int64_t *out) {
    entry *spare = memory_alloc_array(n, sizeof(entry));
    const entry *sorted = sort(entries, spare, n);
    for (int64_t i = 0; i < n; i++) out[i] = sorted[i].index;
    tl_free(spare);
    tl_free(entries);
}

#define DEFINE_ARGSORT(SUFFIX, TYPE, KEY)                                      \
    void tl_argsort_##SUFFIX(const TYPE *x, int64_t n, int64_t *out) {         \
        const sig_atomic_t was_busy = frame_set_busy(frame_current(), 1);      \
        entry *entries = memory_alloc_array(n, sizeof(entry));                 \
        for (int64_t i = 0; i < n; i++) entries[i] = (entry){KEY(x[i]), i};    \
        sort_and_release(entries, n, out);                                     \
        frame_set_busy(frame_current(), was_busy);                             \
    }

DEFINE_ARGSORT(f64, double, key_of_double)
DEFINE_ARGSORT(f32, float, key_of_double)
DEFINE_ARGSORT(i64, int64_t, (int64_t))
DEFINE_ARGSORT(i32, int32_t, (int64_t))
