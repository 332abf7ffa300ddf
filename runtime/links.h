/* Circular doubly linked lists whose links live inside their elements. */
#ifndef TAPELESS_LINKS_H
#define TAPELESS_LINKS_H

#include <stdbool.h>

typedef struct tl_link {
    struct tl_link *previous;
    struct tl_link *next;
} tl_link;

/* A link on its own is an empty list, and the anchor of one. */
static inline void link_init(tl_link *link) {
    link->previous = link;
    link->next = link;
}

static inline bool link_is_alone(const tl_link *link) { return link->next == link; }

static inline void link_append(tl_link *anchor, tl_link *link) {
    link->previous = anchor->previous;
    link->next = anchor;
    anchor->previous->next = link;
    anchor->previous = link;
}

static inline void link_remove(tl_link *link) {
    link->previous->next = link->next;
    link->next->previous = link->previous;
    link_init(link);
}

#endif
