/* The C runtime that compiled kernels call: failures, reports, memory, threads, sorting.
 *
 * A kernel runs inside tl_invoke, which is its catch point: a failed check or allocation anywhere below, also in a
 * chunk that another thread runs, ends the whole call and is reported there. All functions may be called from any
 * number of threads at once.
 */
#ifndef TAPELESS_RUNTIME_H
#define TAPELESS_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#define TL_API __attribute__((visibility("default")))
#define TL_NORETURN __attribute__((noreturn))

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every incompatible change of this header; the Python loader refuses other numbers. */
#define TL_ABI_VERSION 4

/* TL_BAD_SIZE comes from the C functions of saved kernels alone: a size of an argument, or of a result as the arguments
 * give it, is negative or beyond TL_LONGEST_AXIS, and nothing has run. */
enum tl_kind { TL_OK = 0, TL_CHECK_FAILED = 1, TL_OUT_OF_MEMORY = 2, TL_INTERRUPTED = 3, TL_BAD_SIZE = 4 };

enum { TL_ERROR_VALUES = 8 };

/* Why a call ended. `kind` is a tl_kind; 4 bytes of padding follow it, the other fields are at 8, 16, 24 and 88. */
typedef struct tl_error {
    int32_t kind;
    int64_t site;                     /* TL_CHECK_FAILED: the number the compiler gave to the check */
    int64_t count;                    /* how many of `values` are set */
    int64_t values[TL_ERROR_VALUES];  /* the numbers its message shows */
    int64_t bytes;                    /* TL_OUT_OF_MEMORY: the size that was asked for */
} tl_error;

/* What a call has reported at one site. */
typedef struct tl_record {
    int64_t failures;  /* tl_report: how often with `holds` 0; tl_note: how often */
    double largest;    /* of the values of tl_report; -1 without any, not a number if one of them was none */
} tl_record;

/* What a call has reported, one record per site. */
typedef struct tl_page {
    int64_t count;
    int64_t call;                     /* greater than for every call that began before */
    int64_t first;                    /* 1 + the site of the first tl_note, or 0 */
    int64_t values[TL_ERROR_VALUES];  /* the numbers that its message shows */
    tl_record records[];
} tl_page;

/* The pages of a kernel: for each thread, what its last call has reported. */
typedef struct tl_book tl_book;

/* What the allocator did, for the whole process. Sizes are those asked for, without headers and rounding. */
typedef struct tl_counters {
    int64_t live_bytes;    /* in buffers that are allocated now */
    int64_t peak_bytes;    /* the most live_bytes has been since the last tl_reset_peak */
    int64_t cached_bytes;  /* in freed buffers kept for reuse */
    int64_t allocations;   /* calls of tl_alloc that gave a buffer */
    int64_t recycled;      /* those of them that reused a freed buffer */
} tl_counters;

typedef void (*tl_kernel)(int64_t *slots);
typedef void (*tl_chunk)(int64_t lo, int64_t hi, void *context);

TL_API int32_t tl_abi_version(void);

/* Runs kernel(slots) and returns error->kind. Every buffer that a failed call still held is freed; buffers that a
 * call which succeeded has not freed belong to the caller. */
TL_API int32_t tl_invoke(tl_kernel kernel, int64_t *slots, tl_error *error);

/* The same, with a book for what the call reports, or NULL. */
TL_API int32_t tl_invoke_reporting(tl_kernel kernel, int64_t *slots, tl_error *error, tl_book *book);

/* The same; the buffers that the kernel leaves to its caller are kept by what `tl_new_results` gave, unless that is NULL. */
TL_API int32_t tl_invoke_owning(tl_kernel kernel, int64_t *slots, tl_error *error, tl_book *book, void *results);

/* A book for kernels with so many sites, or NULL without memory; it must outlive the calls that it is given to. */
TL_API tl_book *tl_new_book(int64_t sites);
TL_API void tl_free_book(tl_book *book);

/* What the last call of this thread with a book reported, until the next one; NULL before the first. */
TL_API const tl_page *tl_read_book(const tl_book *book);

/* Reports a value of 0 or more, and whether it is as wanted; the largest of the call is kept. Sites of this and of
 * tl_note are below those of the book. */
TL_API void tl_report(int64_t site, int64_t holds, double value);

/* Reports a failed check; the call goes on, unless it has no book: then it ends, as by tl_fail. The values of the first
 * one are kept. They come one by one, because a buffer for them would be one more on the stack each time. */
TL_API void tl_note(int64_t site, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h);

/* How a program runs its signal handlers, so that these can end a call: Python's functions, which the loader hands over.
 * `run_handlers` is called on the thread `main_thread` between `enter` and `leave`; it is not 0 when a handler raised,
 * and `take_exception` then takes what was raised. */
typedef struct tl_host {
    uint64_t main_thread;
    int32_t (*enter)(void);
    int32_t (*run_handlers)(void);
    void (*take_exception)(void **type, void **value, void **traceback);
    void (*leave)(int32_t state);
} tl_host;

TL_API void tl_set_host(const tl_host *host);

/* How a program makes objects that own memory of the runtime: Python's functions for capsules, which the loader hands
 * over. They, and so `tl_own`, are called on threads that may use objects of the program. */
typedef struct tl_objects {
    void *(*create)(void *address, const char *name, void (*drop)(void *object));
    void *(*address)(void *object, const char *name);
    int32_t (*set_address)(void *object, void *address);
    void *(*context)(void *object);
    int32_t (*set_context)(void *object, void *context);
    void (*discard)(void *object);
    void *(*out_of_memory)(void); /* raises, and gives NULL */
} tl_objects;

TL_API void tl_set_objects(const tl_objects *objects);

typedef void *(*tl_make)(int64_t argument);
typedef void (*tl_release)(void *made);

/* An object that owns what `make` makes of the argument and `release` frees; NULL, with an exception raised, when there
 * is no memory. */
TL_API void *tl_own(tl_make make, int64_t argument, tl_release release);

/* For `tl_own`: a buffer that belongs to no call; what keeps the results of calls, see `tl_invoke_owning`; a buffer that
 * is taken out of there by its address. */
TL_API void *tl_alloc_outside(int64_t bytes);
TL_API void *tl_new_results(int64_t unused);
TL_API void tl_free_results(void *results);
TL_API void *tl_take_result(int64_t address);

/* What the handler raised that ended the last call as TL_INTERRUPTED; given once. */
TL_API void tl_take_raised(void **three);

/* How tl_call reads the arguments of a kernel from Python objects: one parameter per argument and provided result, in
 * the order of the slots. A scalar has rank 0; `descriptor` is the dtype object of an array, `code` and `bits` are those
 * of DLPack, a size below 0 fits any. */
typedef struct tl_parameter {
    int64_t rank;
    int32_t code, bits;
    const void *descriptor;
    const int64_t *sizes;
} tl_parameter;

typedef struct tl_plan {
    tl_kernel kernel;
    int64_t slots;          /* of a call, results included */
    int64_t results;        /* slots that the kernel fills */
    int64_t object_header;  /* bytes before an object's own fields */
    int64_t tuple_header;   /* bytes before the items of a tuple */
    const void *array_type; /* numpy.ndarray */
    int64_t count;
    const tl_parameter *parameters;
    tl_book *book;          /* for what calls report, or NULL */
} tl_plan;

enum { TL_MISMATCH = -1 };

/* Arrays with a longer axis, which then have no elements, are a mismatch: kernels rely on sums of sizes. */
#define TL_LONGEST_AXIS (INT64_C(1) << 48)

/* Functions of Python, which the loader hands over, for arrays of other libraries; other threads run between `leave`
 * and `enter`. */
typedef struct tl_python {
    void *(*leave)(void);
    void (*enter)(void *state);
    int32_t (*get_buffer)(void *object, void *view, int32_t flags);
    void (*release_buffer)(void *view);
    void *(*attribute)(void *object, void *name);
    void *(*call_method)(void *name, void *const *arguments, size_t count, void *names);
    void (*discard)(void *object);
    int32_t (*is_raised)(void *kind);
    void (*forget)(void);
    void *(*raised)(void);
    void *(*address)(void *capsule, const char *name);
    char *(*bytes)(void *object);
    void *(*pointer)(void *number);
    void *(*number)(long value);
    void (*keep)(void *object);
    void *exception; /* the class of what may be forgotten */
    void *no;        /* the object False */
    void *none;
    void *(*real)(double value);
    void *(*integer)(long long value);
} tl_python;

TL_API void tl_set_python(const tl_python *python);

/* A type of arrays: `exchange` fills a DLTensor for an object (0, or an exception is raised); NULL for a type whose
 * objects are buffers. An object is taken only if what is named here, as Python strings, is False for it. */
enum { TL_PRODUCER_NAMES = 2 };

typedef struct tl_producer {
    const void *type;
    int32_t (*exchange)(void *object, void *array);
    void *attributes[TL_PRODUCER_NAMES];
    void *methods[TL_PRODUCER_NAMES];
} tl_producer;

/* Whether there was room for one more; type and names stay alive. */
TL_API int32_t tl_add_producer(const tl_producer *producer);

/* Runs a kernel on the arrays of a Python tuple and the words of its scalars, in order, on a thread that holds Python's
 * lock, which is free while the kernel runs. TL_MISMATCH when an array is not exactly as the plan says, and nothing has
 * run; else the kind of failure, as tl_invoke. */
TL_API int32_t tl_call(const tl_plan *plan, const void *arrays, const int64_t *scalars, int64_t *results);

/* The same as a function of Python (METH_FASTCALL), with a capsule of the plan as what it is bound to. It takes the tuple,
 * a bytes object or None, and the address for results or None, and gives None, or the status as a number. */
TL_API void *tl_call_from_python(void *plan, void *const *arguments, int64_t count);

/* The number in an array without axes of another library, as a function of Python with a capsule of a tl_parameter of
 * rank 0: it takes an object and its type, and gives None unless the array holds exactly what the parameter says. */
TL_API void *tl_number_from_python(void *parameter, void *const *arguments, int64_t count);

/* Why the last tl_call of this thread failed. */
TL_API void tl_last_error(tl_error *error);

/* Kernels for programs that other compilers made. An operand or result is an array, or a number where its rank is 0;
 * `type` is XLA's number of the type of its elements, and a size below 0 fits any. */
typedef struct tl_exchanged {
    int64_t type, rank;
    const int64_t *sizes;
} tl_exchanged;

/* A step of an expression for a size of a result, in the order of a stack: a number; a size of an operand, by its place
 * and its axis; or an operator on the two sizes before it. */
enum { TL_NUMBER = 0, TL_DIM = 1, TL_ADD = 2, TL_SUB = 3, TL_MUL = 4, TL_FLOORDIV = 5, TL_MIN = 6, TL_MAX = 7 };

typedef struct tl_size_step {
    int64_t kind, a, b;
} tl_size_step;

typedef struct tl_size {
    int64_t count;
    const tl_size_step *steps;
} tl_size;

/* The text of a failed check: `message` has a hole `{}` for each value, and what is around it has none. The bits of
 * `floats` tell which values are bits of a double. */
typedef struct tl_site {
    const char *before, *message, *behind;
    int64_t floats;
} tl_site;

/* A kernel whose results have sizes that its caller knows; `digest` has 64 characters. All of it stays as it is for as
 * long as the process runs. */
typedef struct tl_export {
    const char *digest, *name;
    tl_kernel kernel;
    int64_t slots, operand_count, result_count, site_count;
    const tl_exchanged *operands, *results;
    const tl_size *sizes; /* one per axis of each result, in order */
    const tl_site *sites;
} tl_export;

/* Makes a kernel known by its digest; adding it again changes nothing. 0 when there is no memory. */
TL_API int32_t tl_add_export(const tl_export *kernel);

/* The attribute that names the kernel in calls of tl_xla_call. */
#define TL_DIGEST "kernel"

/* A function for XLA's interface, which takes a call frame and gives NULL or an error: runs the kernel that the attribute
 * TL_DIGEST names on the buffers of the frame. One that this process has not added is an error. */
TL_API void *tl_xla_call(void *frame);

/* Ends the current call as a failed check; needs an enclosing tl_invoke. Values beyond TL_ERROR_VALUES are dropped. */
TL_API TL_NORETURN void tl_fail(int64_t site, int64_t count, const int64_t *values);

/* Ends the current call as a failed check when the calling thread has little left of its stack. */
TL_API void tl_check_stack(int64_t site);

/* How many bytes the calling thread has left of its stack; the largest number when that cannot be told. */
TL_API int64_t tl_stack_left(void);

/* From here on the calling thread notes whether its arithmetic gives what is infinite or no number; whether it did. */
TL_API void tl_watch_floats(void);
TL_API int64_t tl_saw_infinite(void);

/* Until the current call ends, its threads take denormal numbers for zeros; nothing happens outside tl_invoke. */
TL_API void tl_flush_denormals(void);

/* A 64-byte aligned buffer with undefined contents. A size that is negative or cannot be had ends the current call as
 * TL_OUT_OF_MEMORY; outside a call it gives NULL. Freeing NULL does nothing. */
TL_API void *tl_alloc(int64_t bytes);
TL_API void tl_free(void *buffer);

TL_API void tl_read_counters(tl_counters *counters);
TL_API int64_t tl_peak_bytes(void);
TL_API void tl_reset_peak(void);

/* Gives the freed buffers kept for reuse back to the system. */
TL_API void tl_trim(void);

/* The most bytes that may be live at once: by default the memory of the machine or of its control group. Setting a
 * limit of 0 or less restores the default. */
TL_API int64_t tl_memory_limit(void);
TL_API void tl_set_memory_limit(int64_t bytes);

/* Calls chunk(lo, hi, context) for [0, grain), [grain, 2 grain), ... up to n, on the calling thread and on up to
 * threads - 1 workers of the pool; threads <= 0 stands for tl_default_threads(). A call from inside a chunk runs its
 * chunks in order on its own thread. When chunks fail, the failure of the lowest one ends the current call. */
TL_API void tl_parallel(tl_chunk chunk, void *context, int64_t n, int64_t grain, int64_t threads);

/* The processors this process may use, unless set; setting 0 or less restores that. */
TL_API int64_t tl_default_threads(void);
TL_API void tl_set_default_threads(int64_t threads);

/* Worker threads that exist now, asleep or at work. */
TL_API int64_t tl_pool_size(void);

/* out[k] = the index of the k-th smallest element; equal elements keep their order, NaNs come last, -0 equals 0. */
TL_API void tl_argsort_f64(const double *x, int64_t n, int64_t *out);
TL_API void tl_argsort_f32(const float *x, int64_t n, int64_t *out);
TL_API void tl_argsort_i64(const int64_t *x, int64_t n, int64_t *out);
TL_API void tl_argsort_i32(const int32_t *x, int64_t n, int64_t *out);

#ifdef __cplusplus
}
#endif

#endif
