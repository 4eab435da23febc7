// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door for compiler backends: a Dynamic Tanh layer folded away, exactly or not at all.
//
//   fold_alpha_into_lut    alpha, and any scalar chain before a TABLE, into the TABLE
//   fold_affine_into_conv  gamma and beta into the weights, bias and input zero point of the convolution behind them
//   is_identity            is there anything to fold at all?
//
// check_fold.hpp judges a claimed fold: on every code, channel and class of positions, without the algebra that made
// it. plan.hpp adds every other exact form of a site, and picks the best for a target. fold_function.hpp makes the
// TABLE.
//
// Every function takes views of the caller's memory, allocates nothing, throws nothing, and returns a result<T>: the
// answer, or the reason, the place and a counter-example.
#ifndef DYTQ_FOLD_HPP
#define DYTQ_FOLD_HPP

#include "folds/affine.hpp"
#include "folds/alpha.hpp"
#include "rewrites/identity.hpp"

#endif
