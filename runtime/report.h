/* What a call reports without ending: where it is written. */
#ifndef TAPELESS_REPORT_H
#define TAPELESS_REPORT_H

#include "tapeless_runtime.h"

/* The page of this thread, emptied for a call; NULL without a book, or where there is no memory for a page. */
tl_page *report_begin(tl_book *book);

#endif
