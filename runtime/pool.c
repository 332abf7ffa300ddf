/* The pool: workers that sleep until a parallel call has chunks for them.
 *
 * Chunks are claimed in ascending order, and a claimed chunk always runs to its end. So when chunk k has failed, every
 * lower chunk is finished or running, and the lowest failure of a call does not depend on how the threads were timed.
 */
#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "failure.h"
#include "interrupt.h"
#include "machine.h"
#include "tapeless_runtime.h"

enum { MAX_WORKERS = 255, WORKER_STACK_BYTES = 8 << 20, LOOK_MS = 10, HURRY_MS = 1 };

/* One parallel call; it lives on the stack of the thread that made it. */
typedef struct job {
    tl_link open; /* in open_jobs while helpers may join */
    tl_chunk chunk;
    void *context;
    int64_t n, grain, count;
    tl_link *buffers;
    tl_page *page;
    bool flushes;
    int64_t seats;   /* helpers that may still join */
    int64_t helpers; /* helpers at work */
    pthread_cond_t helpers_left;
    int64_t failed; /* the lowest failed chunk, or count */
    tl_error error;
    _Atomic int64_t next; /* the lowest chunk nobody has claimed */
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job_opened = PTHREAD_COND_INITIALIZER;
static tl_link open_jobs = {&open_jobs, &open_jobs};
static _Atomic int64_t workers;
static pthread_t threads_of_workers[MAX_WORKERS];
static _Atomic int64_t default_threads; /* 0: the processors of the machine */

void pool_lock(void) { pthread_mutex_lock(&lock); }
void pool_unlock(void) { pthread_mutex_unlock(&lock); }

void pool_forget_workers(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&job_opened, NULL);
    link_init(&open_jobs);
    workers = 0;
}

bool pool_has_thread(pthread_t thread) {
    const int64_t count = atomic_load(&workers);
    for (int64_t k = 0; k < count; k++)
        if (pthread_equal(threads_of_workers[k], thread)) return true;
    return false;
}

static void run_chunk(const job *job, int64_t index) {
    int64_t lo = index * job->grain;
    int64_t hi = job->n - lo > job->grain ? lo + job->grain : job->n;
    tl_frame *frame = frame_current();
    frame_set_busy(frame, 0);
    job->chunk(lo, hi, job->context);
    frame_set_busy(frame, 1);
}

static void record_failure(job *job, int64_t index, const tl_error *error) {
    atomic_store(&job->next, job->count);
    pool_lock();
    if (index < job->failed) {
        job->failed = index;
        job->error = *error;
    }
    pool_unlock();
}

static void work_on(job *job) {
    tl_error error;
    tl_frame frame;
    volatile int64_t claimed = 0;
    frame_enter(&frame, &error, job->buffers, job->page, true);
    if (job->flushes) tl_flush_denormals();
    if (sigsetjmp(frame.landing, 0) == 0) {
        while ((claimed = atomic_fetch_add(&job->next, 1)) < job->count) run_chunk(job, claimed);
        frame_leave(&frame);
    } else {
        frame_leave(&frame);
        record_failure(job, claimed, &error);
    }
}

static job *joinable_job(void) {
    for (tl_link *link = open_jobs.next; link != &open_jobs; link = link->next) {
        job *candidate = (job *)((char *)link - offsetof(job, open));
        if (candidate->seats > 0 && atomic_load(&candidate->next) < candidate->count) return candidate;
    }
    return NULL;
}

static void help(job *job) {
    job->seats--;
    job->helpers++;
    pool_unlock();
    work_on(job);
    pool_lock();
    if (--job->helpers == 0) pthread_cond_signal(&job->helpers_left);
}

static void *worker(void *unused) {
    (void)unused;
    pool_lock();
    for (;;) {
        job *job = joinable_job();
        if (job == NULL)
            pthread_cond_wait(&job_opened, &lock);
        else
            help(job);
    }
    return NULL;
}

/* Workers block every signal but those that calls are ended with, so that the program's own threads get them. */
static int start_worker(void) {
    pthread_attr_t attributes;
    sigset_t every_signal, before;
    sigfillset(&every_signal);
    interrupt_unblock(&every_signal);
    pthread_sigmask(SIG_SETMASK, &every_signal, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
    int status = pthread_create(&threads_of_workers[workers], &attributes, worker, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* A worker that cannot be started is no error: the calling thread runs whatever nobody else claims. */
static void open_job(job *job) {
    pool_lock();
    while (workers < job->seats && workers < MAX_WORKERS && start_worker() == 0) workers++;
    link_append(&open_jobs, &job->open);
    for (int64_t seat = 0; seat < job->seats; seat++) pthread_cond_signal(&job_opened);
    pool_unlock();
}

static void wait_some(job *job, long milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&job->helpers_left, &lock, &until);
}

/* The thread whose calls can be interrupted looks for signals meanwhile, and then makes helpers leave their chunks. */
static void wait_for_helpers(job *job) {
    if (!interrupt_is_watched(job->buffers)) {
        pthread_cond_wait(&job->helpers_left, &lock);
        return;
    }
    wait_some(job, interrupt_is_stopping(job->buffers) ? HURRY_MS : LOOK_MS);
    pool_unlock();
    interrupt_check();
    pool_lock();
    if (!interrupt_is_stopping(job->buffers)) return;
    atomic_store(&job->next, job->count);
    for (int64_t k = 0; k < workers; k++) interrupt_poke(threads_of_workers[k]);
}

static void init_helpers_left(job *job) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&job->helpers_left, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void close_job(job *job) {
    pool_lock();
    link_remove(&job->open);
    while (job->helpers > 0) wait_for_helpers(job);
    pool_unlock();
}

static void run_in_order(const job *job) {
    for (int64_t index = 0; index < job->count; index++) run_chunk(job, index);
}

static void run_on_pool(job *job) {
    job->failed = job->count;
    init_helpers_left(job);
    open_job(job);
    work_on(job);
    close_job(job);
    pthread_cond_destroy(&job->helpers_left);
    if (interrupt_is_stopping(job->buffers)) frame_raise(&(tl_error){.kind = TL_INTERRUPTED});
    if (job->failed < job->count) frame_raise(&job->error);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

void tl_parallel(tl_chunk chunk, void *context, int64_t n, int64_t grain, int64_t threads) {
    if (n <= 0) return;
    if (grain < 1) grain = 1;
    tl_frame *frame = frame_current();
    frame_set_busy(frame, 1);
    job job = {.chunk = chunk, .context = context, .n = n, .grain = grain, .count = n / grain + (n % grain != 0)};
    job.buffers = frame == NULL ? NULL : frame->buffers;
    job.page = frame == NULL ? NULL : frame->page;
    job.flushes = frame != NULL && frame->flushes;
    job.seats = smaller(smaller(threads > 0 ? threads : tl_default_threads(), job.count) - 1, MAX_WORKERS);
    if (job.seats == 0 || (frame != NULL && frame->in_chunk))
        run_in_order(&job);
    else
        run_on_pool(&job);
    frame_set_busy(frame, 0);
}

int64_t tl_default_threads(void) {
    int64_t threads = atomic_load(&default_threads);
    return threads > 0 ? threads : machine_processors();
}

void tl_set_default_threads(int64_t threads) { atomic_store(&default_threads, threads); }

int64_t tl_pool_size(void) {
    pool_lock();
    int64_t size = workers;
    pool_unlock();
    return size;
}
