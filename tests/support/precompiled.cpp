// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing: a precompiled header needs a source that it is for.
