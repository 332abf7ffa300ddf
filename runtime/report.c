/* What a call reports without ending. Any thread of the call may report at any time, so all changes are single atomic
 * steps: no lock is held that a signal handler, which may leave the kernel anywhere, could leave behind. */
#define _GNU_SOURCE
#include "report.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

_Static_assert(sizeof(tl_page) == 88 && sizeof(tl_record) == 16, "the Python loader mirrors this layout");

/* Pages are only added; an ended thread leaves its page to the next one with its identity, which has another number. */
typedef struct entry {
    struct entry *next;
    pthread_t thread;
    int64_t number;
    tl_page page;
} entry;

struct tl_book {
    int64_t count;
    entry *entries;
};

static const double NOTHING = -1.0;
static int64_t calls, threads;
static _Thread_local int64_t own_number;

static int64_t thread_number(void) {
    if (own_number == 0) own_number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return own_number;
}

tl_book *tl_new_book(int64_t count) {
    tl_book *book = calloc(1, sizeof *book);
    if (book != NULL) book->count = count;
    return book;
}

void tl_free_book(tl_book *book) {
    entry *each = book->entries;
    while (each != NULL) {
        entry *next = each->next;
        free(each);
        each = next;
    }
    free(book);
}

static entry *find(const tl_book *book) {
    entry *each = __atomic_load_n(&book->entries, __ATOMIC_ACQUIRE);
    while (each != NULL && !pthread_equal(each->thread, pthread_self())) each = each->next;
    return each;
}

static entry *add(tl_book *book) {
    entry *made = calloc(1, sizeof *made + (size_t)book->count * sizeof(tl_record));
    if (made == NULL) return NULL;
    made->thread = pthread_self();
    made->page.count = book->count;
    made->next = __atomic_load_n(&book->entries, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&book->entries, &made->next, made, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return made;
}

const tl_page *tl_read_book(const tl_book *book) {
    const entry *found = find(book);
    return found != NULL && found->number == thread_number() ? &found->page : NULL;
}

tl_page *report_begin(tl_book *book) {
    if (book == NULL) return NULL;
    tl_frame *frame = frame_current();
    const sig_atomic_t before = frame_set_busy(frame, 1);
    entry *found = find(book);
    if (found == NULL) found = add(book);
    if (found != NULL) {
        found->number = thread_number();
        found->page.call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
        found->page.first = 0;
        for (int64_t site = 0; site < book->count; site++) found->page.records[site] = (tl_record){0, NOTHING};
    }
    frame_set_busy(frame, before);
    return found == NULL ? NULL : &found->page;
}

static tl_page *current_page(void) {
    const tl_frame *frame = frame_current();
    return frame == NULL ? NULL : frame->page;
}

static void increment(int64_t *number) { __atomic_fetch_add(number, 1, __ATOMIC_RELAXED); }

static double largest_of(const tl_record *record) {
    double value;
    __atomic_load(&record->largest, &value, __ATOMIC_RELAXED);
    return value;
}

/* What is not a number is larger than all numbers. */
static __attribute__((noinline)) void change(tl_record *record, int64_t holds, double value) {
    if (!holds) increment(&record->failures);
    double before = largest_of(record);
    while (before == before && !(value <= before))
        if (__atomic_compare_exchange(&record->largest, &before, &value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
}

/* Most reports change nothing: they only read, so threads do not wait for each other. */
void tl_report(int64_t site, int64_t holds, double value) {
    tl_page *page = current_page();
    if (page == NULL || (holds && value <= largest_of(&page->records[site]))) return;
    change(&page->records[site], holds, value);
}

/* Whoever comes first writes the values; they are read when the call has ended. */
void tl_note(int64_t site, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h) {
    const int64_t values[TL_ERROR_VALUES] = {a, b, c, d, e, f, g, h};
    tl_page *page = current_page();
    int64_t nobody = 0;
    if (page == NULL) tl_fail(site, TL_ERROR_VALUES, values);
    increment(&page->records[site].failures);
    if (!__atomic_compare_exchange_n(&page->first, &nobody, site + 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    memcpy(page->values, values, sizeof values);
}
