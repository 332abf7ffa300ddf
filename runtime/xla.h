/* The part of XLA's C interface for functions of other programs (version 0.3) that calls of kernels take. It is written
 * down here so that neither XLA nor JAX is needed to build the runtime; XLA keeps this layout for later versions. */
#ifndef TAPELESS_XLA_H
#define TAPELESS_XLA_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_MAJOR = 0, XLA_MINOR = 3 };
enum { XLA_METADATA = 1 };  /* an extension: XLA asks for the version that a function was written for */
enum { XLA_STRING = 4 };    /* an attribute */
enum { XLA_TRUTH = 1, XLA_S32 = 4, XLA_S64 = 5, XLA_U32 = 8, XLA_F32 = 11, XLA_F64 = 12 };
enum { XLA_INVALID_ARGUMENT = 3, XLA_NOT_FOUND = 5, XLA_RESOURCE_EXHAUSTED = 8, XLA_INTERNAL = 13 };

typedef struct xla_error xla_error;

typedef struct xla_extension {
    size_t struct_size;
    int32_t type;
    struct xla_extension *next;
} xla_extension;

typedef struct xla_version {
    size_t struct_size;
    xla_extension *extensions;
    int32_t major, minor;
} xla_version;

typedef struct xla_metadata {
    size_t struct_size;
    xla_version version;
    uint32_t traits;
} xla_metadata;

typedef struct xla_metadata_extension {
    xla_extension base;
    xla_metadata *metadata;
} xla_metadata_extension;

typedef struct xla_error_arguments {
    size_t struct_size;
    xla_extension *extensions;
    const char *message;
    int32_t code;
} xla_error_arguments;

typedef struct xla_api {
    size_t struct_size;
    xla_extension *extensions;
    xla_version version;
    const void *internal;
    xla_error *(*create_error)(xla_error_arguments *arguments);
} xla_api;

typedef struct xla_buffer {
    size_t struct_size;
    xla_extension *extensions;
    int32_t type;
    void *data;
    int64_t rank;
    const int64_t *sizes;
} xla_buffer;

typedef struct xla_text {
    const char *start;
    size_t length;
} xla_text;

/* Operands and results: all of them are buffers. */
typedef struct xla_buffers {
    size_t struct_size;
    xla_extension *extensions;
    int64_t count;
    const int32_t *kinds;
    xla_buffer **buffers;
} xla_buffers;

typedef struct xla_attributes {
    size_t struct_size;
    xla_extension *extensions;
    int64_t count;
    const int32_t *kinds;
    xla_text **names;
    void **values;
} xla_attributes;

typedef struct xla_frame {
    size_t struct_size;
    xla_extension *extensions;
    const xla_api *api;
    void *context;
    int32_t stage;
    xla_buffers operands;
    xla_buffers results;
    xla_attributes attributes;
} xla_frame;

#endif
