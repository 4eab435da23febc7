// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything there is, but for fmt.hpp, which needs another library.
#include <dytq/affine.hpp>
#include <dytq/check_fold.hpp>
#include <dytq/conv_eval.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/fold.hpp>
#include <dytq/fold_function.hpp>
#include <dytq/lut16.hpp>
#include <dytq/plan_text.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <dytq/version.hpp>
