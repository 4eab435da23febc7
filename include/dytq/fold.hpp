// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door: everything a compiler backend needs to fold a Dynamic Tanh layer, exactly or not at all.
//
//   fold_alpha_into_lut              alpha, and any scalar chain before a TABLE, into the TABLE
//   fold_affine_into_conv(s)         gamma and beta into the weights, bias and input zero point behind them
//   fold_beta_into_conv              beta alone; gamma stays
//   fold_affine_into_table_and_conv  what all channels share into a new TABLE, the rest into the weights
//   make_channel_tables              the whole layer as one table for each channel: always exact
//   gamma_as_rescale, gamma_as_depthwise, uniform_table, is_identity
//   plan                             all of these for one site, what each saves, and which is best for a target
//   check_fold                       is a claimed fold exact? asked of every code, channel and class of positions
//
// Every function takes views of the caller's memory, allocates nothing, throws nothing, and returns a result<T>: the
// answer, or the reason, the place and a counter-example.
#ifndef DYTQ_FOLD_HPP
#define DYTQ_FOLD_HPP

#include "channel_tables.hpp"
#include "check_fold.hpp"
#include "fold_affine.hpp"
#include "fold_alpha.hpp"
#include "fold_beta.hpp"
#include "identity.hpp"
#include "plan.hpp"
#include "retable.hpp"
#include "rewrite_gamma.hpp"

#endif
