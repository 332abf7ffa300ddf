/* Stable argsort: every element type becomes a 64-bit integer key of the same order, and one merge sort does the rest. */
#include <string.h>

#include "memory.h"
#include "tapeless_runtime.h"

enum { RUN_LENGTH = 24 };

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

static void sort_run(entry *entries, int64_t n) {
    for (int64_t end = 1; end < n; end++) {
        entry inserted = entries[end];
        int64_t at = end;
        for (; at > 0 && entries[at - 1].key > inserted.key; at--) entries[at] = entries[at - 1];
        entries[at] = inserted;
    }
}

/* Merges two neighbouring sorted runs; of equal keys the left one goes first. */
static void merge(const entry *left, const entry *middle, const entry *end, entry *out) {
    const entry *right = middle;
    while (left < middle && right < end) {
        int take_right = right->key < left->key;
        *out++ = take_right ? *right : *left;
        right += take_right;
        left += !take_right;
    }
    memcpy(out, left, (size_t)(middle - left) * sizeof *left);
    out += middle - left;
    memcpy(out, right, (size_t)(end - right) * sizeof *right);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void merge_pass(const entry *from, entry *to, int64_t n, int64_t width) {
    for (int64_t lo = 0; lo < n; lo += 2 * width) {
        int64_t middle = smaller(lo + width, n);
        merge(from + lo, from + middle, from + smaller(lo + 2 * width, n), to + lo);
    }
}

/* Sorts `entries` with `spare` as working space and returns the one of them that holds the result. */
static entry *merge_sort(entry *entries, entry *spare, int64_t n) {
    for (int64_t lo = 0; lo < n; lo += RUN_LENGTH) sort_run(entries + lo, smaller(RUN_LENGTH, n - lo));
    for (int64_t width = RUN_LENGTH; width < n; width *= 2) {
        merge_pass(entries, spare, n, width);
        entry *swapped = entries;
        entries = spare;
        spare = swapped;
    }
    return entries;
}

static void sort_and_release(entry *entries, int64_t n, int64_t *out) {
    entry *spare = memory_alloc_array(n, sizeof(entry));
    const entry *sorted = merge_sort(entries, spare, n);
    for (int64_t i = 0; i < n; i++) out[i] = sorted[i].index;
    tl_free(spare);
    tl_free(entries);
}

#define DEFINE_ARGSORT(SUFFIX, TYPE, KEY)                                      \
    void tl_argsort_##SUFFIX(const TYPE *x, int64_t n, int64_t *out) {         \
        entry *entries = memory_alloc_array(n, sizeof(entry));                 \
        for (int64_t i = 0; i < n; i++) entries[i] = (entry){KEY(x[i]), i};    \
        sort_and_release(entries, n, out);                                     \
    }

DEFINE_ARGSORT(f64, double, key_of_double)
DEFINE_ARGSORT(f32, float, key_of_double)
DEFINE_ARGSORT(i64, int64_t, (int64_t))
DEFINE_ARGSORT(i32, int32_t, (int64_t))
