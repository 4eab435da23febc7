// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that xnnpack.h needs of pthreadpool's header, which Debian's libxnnpack-dev does not bring.
#ifndef DYTQ_TESTS_TOOLCHAINS_PTHREADPOOL_H
#define DYTQ_TESTS_TOOLCHAINS_PTHREADPOOL_H

typedef struct pthreadpool* pthreadpool_t;  // NOLINT: C

#endif
