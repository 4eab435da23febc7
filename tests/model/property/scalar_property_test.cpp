// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales, RESCALE, MUL, ADD, TABLE, affine and RESCALE fits against the oracle.
#include <dytq/codes.hpp>
#include <dytq/fit_rescale.hpp>
#include <dytq/rescale.hpp>
#include <dytq/scale.hpp>
#include <dytq/table.hpp>

#include "property.hpp"

namespace {

using namespace property;
using oracle::source;

// Same value, or both refused with the same word.
template <class T>
void agree(const dytq::result<T>& got, const oracle::outcome<integer>& wanted) {
  RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
  if (got) {
    RC_ASSERT(integer{*got} == *wanted);
  } else {
    RC_ASSERT(word(got.error()) == wanted.why);
  }
}

}  // namespace

TEST_CASE("scale: the multiplier and shift of every double") {
  CHECK(rc::check("quantize_scale is the oracle's", [] {
    const double scale = *oracle::any_scale();
    for (const int width : {16, 32}) {
      const auto wanted = oracle::multiplier_shift(scale, width);
      const auto got =
          dytq::quantize_scale(scale, width == 16 ? dytq::multiplier_width::bits16 : dytq::multiplier_width::bits32);
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (got) {
        RC_ASSERT(integer{got->multiplier} == wanted->multiplier);
        RC_ASSERT(integer{got->shift} == wanted->shift);
      } else {
        RC_ASSERT(word(got.error()) == wanted.why);
      }
    }
  }));
}

TEST_CASE("apply_scale_32 and apply_scale_16, near ties and limits") {
  CHECK(rc::check("apply_scale_32", [] {
    source s(*oracle::any_seed());
    for (int k = 0; k < 20; ++k) {
      const integer m = s.chance(4) ? -s.range(0, 5) : multiplier_value(s), shift = shift_value(s);
      const integer v = s.chance(60) ? near_tie(s, m, shift) : int32_value(s);
      const bool twice = s.chance(50);
      RC_LOG() << v << " * " << m << " >> " << shift << (twice ? " double\n" : "\n");
      agree(dytq::apply_scale_32(v, m, shift,
                                 twice ? dytq::rounding_mode::double_round : dytq::rounding_mode::single_round),
            oracle::apply_scale_32(v, m, shift, twice));
    }
  }));
  CHECK(rc::check("apply_scale_16", [] {
    source s(*oracle::any_seed());
    for (int k = 0; k < 20; ++k) {
      const integer m = s.chance(4) ? s.pick<integer>({-1, 32768}) : multiplier_value(s, 16), shift = shift_value(s);
      const integer v = s.chance(40)   ? near_tie(s, m, shift)
                        : s.chance(10) ? s.pick<integer>({1, -1}) * ((integer{1} << 47) + s.range(-1, 1))
                                       : int48_value(s);
      RC_LOG() << v << " * " << m << " >> " << shift << "\n";
      agree(dytq::apply_scale_16(v, m, shift), oracle::apply_scale_16(v, m, shift));
    }
  }));
}

TEST_CASE("RESCALE of one value, of every pair of types") {
  CHECK(rc::check("apply(rescale_operator)", [] {
    source s(*oracle::any_seed());
    for (int k = 0; k < 20; ++k) {
      const oracle::rescale_case r = rescale_value(s);
      const auto op = operator_of(r.op);
      const auto wanted = oracle::rescale(r.op, {r.value});
      if (!op) {  // unsigned int32: the library has no word for it, and the oracle must call it an error
        RC_ASSERT(wanted.why == "error");
        continue;
      }
      const auto got = dytq::apply(*op, r.value, r.op.multiplier[0], r.op.shift[0]);
      RC_LOG() << r.op.in_t << (r.op.input_unsigned ? "u" : "") << " -> " << r.op.out_t
               << (r.op.output_unsigned ? "u" : "") << ", " << r.op.rounding_mode << ", value " << r.value << ", zero "
               << r.op.input_zp << " " << r.op.output_zp << ", scale " << r.op.multiplier[0] << " " << r.op.shift[0]
               << (r.op.scale32 ? " (32)" : " (16)") << "\n";
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (got) {
        RC_ASSERT(integer{*got} == (*wanted)[0]);
      } else {
        RC_ASSERT(word(got.error()) == wanted.why);
      }
    }
  }));
}

TEST_CASE("RESCALE of a tensor, per channel too; a refusal writes nothing") {
  CHECK(rc::check("apply to a tensor", [] {
    source s(*oracle::any_seed());
    oracle::rescale_case r = rescale_value(s);
    r.op.per_channel = s.chance(70);
    const integer rows = s.range(1, 4), columns = s.range(1, 5);
    r.op.shape = {rows, columns};
    integer n = r.op.per_channel ? columns : 1;
    if (s.chance(5))
      n += 1;
    r.op.multiplier.clear();
    r.op.shift.clear();
    for (integer i = 0; i < n; ++i) {
      r.op.multiplier.push_back(multiplier_value(s, r.op.scale32 ? 32 : 16));
      r.op.shift.push_back(s.chance(95) ? s.range(24, 40) : shift_value(s));
    }
    integers values;
    for (integer i = 0; i < rows * columns; ++i) {
      const int bits = r.op.in_t == "i8" ? 8 : r.op.in_t == "i16" ? 16 : r.op.in_t == "i32" ? 32 : 48;
      values.push_back(signed_value(s, bits) + (r.op.input_unsigned ? integer{1} << (bits - 1) : 0));
    }
    const auto op = operator_of(r.op);
    const auto wanted = oracle::rescale(r.op, values);
    RC_PRE(op.has_value());
    const auto m = narrowed<std::int32_t>(r.op.multiplier), shift = narrowed<std::int32_t>(r.op.shift);
    std::vector<std::int64_t> out(values.size(), 4242);
    const auto got = dytq::apply(*op, dytq::view<const std::int64_t, 2>(values.data(), {rows, columns}),
                                 dytq::view<const std::int32_t>(m), dytq::view<const std::int32_t>(shift),
                                 dytq::view<std::int64_t, 2>(out.data(), {rows, columns}));
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got) {
      RC_ASSERT(out == *wanted);
      // in place
      std::vector<std::int64_t> same = values;
      const dytq::view<std::int64_t, 2> both(same.data(), {rows, columns});
      RC_ASSERT(
          static_cast<bool>(dytq::apply(*op, dytq::view<const std::int64_t, 2>(both), dytq::view<const std::int32_t>(m),
                                        dytq::view<const std::int32_t>(shift), both)));
      RC_ASSERT(same == out);
    } else {
      RC_ASSERT(word(got.error()) == wanted.why);
      RC_ASSERT(out == std::vector<std::int64_t>(values.size(), 4242));
    }
  }));
}

TEST_CASE("a RESCALE of a chain is the operator's, for any zero points") {
  CHECK(rc::check("apply(rescale)", [] {
    source s(*oracle::any_seed());
    for (int k = 0; k < 20; ++k) {
      oracle::stage stage;
      stage.multiplier = s.chance(3) ? -1 : multiplier_value(s);
      stage.shift = shift_value(s);
      stage.input_zp = s.chance(50) ? 0 : int8_value(s);
      stage.output_zp = s.chance(40) ? 0 : s.chance(70) ? int8_value(s) : int32_value(s);
      stage.to_i8 = s.chance(50);
      stage.double_round = s.chance(50);
      const integer v = s.chance(50) ? near_tie(s, stage.multiplier, stage.shift) : int32_value(s);
      // A difference outside int32 has no word in TOSA, where an int32 has no zero point; the library refuses it.
      if (!oracle::fits_i32(v - stage.input_zp))
        continue;
      agree(dytq::apply(step_of(stage), v), oracle::apply(stage, v));
    }
  }));
}

TEST_CASE("MUL and ADD") {
  CHECK(rc::check("mul_int32", [] {
    source s(*oracle::any_seed());
    for (int k = 0; k < 20; ++k) {
      const integer a = int32_value(s), b = int32_value(s);
      const integer shift = s.chance(30) ? 0 : s.range(-1, 64);
      const auto got =
          dytq::mul_int32(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), static_cast<int>(shift));
      const auto wanted = oracle::mul("i32", a, b, shift);
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (got)
        RC_ASSERT(integer{*got} == *wanted);
      agree(dytq::add_int32(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)), oracle::add(a, b));
    }
  }));
}

TEST_CASE("TABLE of 256 and of 513 entries") {
  CHECK(rc::check("lookup", [] {
    source s(*oracle::any_seed());
    const auto table = narrowed<std::int8_t>(oracle::table_value(s));
    for (integer c = -128; c < 128; ++c) {
      const auto got = dytq::lookup(dytq::view<const std::int8_t>(table), static_cast<std::int8_t>(c));
      agree(got, {(*oracle::table_8(widened(table), {c}))[0]});
    }
    integers wide(513);
    const integer reach = s.pick<integer>({3, 300, 40000});
    integer v = 0;
    for (integer& e : wide) {
      v = std::min<integer>(32767, std::max<integer>(-32768, v + s.range(-reach, reach)));
      e = v;
    }
    if (s.chance(3))
      wide.pop_back();
    const auto wide16 = narrowed<std::int16_t>(wide);
    for (int k = 0; k < 40; ++k) {
      const integer c = s.chance(30) ? s.range(0, 511) * 128 - 32768 + s.range(0, 1) * 127 : signed_value(s, 16);
      const auto got = dytq::lookup(dytq::view<const std::int16_t>(wide16), static_cast<std::int16_t>(c));
      const auto wanted = oracle::table_16(wide, {c});
      RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
      if (got) {
        RC_ASSERT(integer{*got} == (*wanted)[0]);
      } else {
        RC_ASSERT(word(got.error()) == wanted.why);
      }
    }
  }));
}

TEST_CASE("fit_affine finds the line or the code that leaves it") {
  CHECK(rc::check("fit_affine", [] {
    source s(*oracle::any_seed());
    const integer q = s.range(1, 5), p = s.range(-6, 6), n = s.range(0, 12);
    integers codes, values;
    const integer far = s.chance(10) ? 1000000 : 1;
    for (integer i = 0; i < n; ++i) {
      const integer step = s.range(-20, 20) * far;
      codes.push_back(q * step + 3);
      values.push_back(p * step - 7);
    }
    if (n > 0 && s.chance(40))
      values[at(s.below(n))] += s.pick<integer>({-1, 1, 5});
    if (n > 0 && s.chance(10))
      codes[at(s.below(n))] += 1;
    if (n > 0 && s.chance(4))
      codes.pop_back();
    const auto c32 = narrowed<std::int32_t>(codes), v32 = narrowed<std::int32_t>(values);
    const auto got = dytq::fit_affine(dytq::view<const std::int32_t>(c32), dytq::view<const std::int32_t>(v32));
    const auto wanted = oracle::fit_affine(codes, values);
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got) {
      RC_ASSERT(got->numerator == static_cast<integer>(wanted->slope.num));
      RC_ASSERT(got->denominator == static_cast<integer>(wanted->slope.den));
      RC_ASSERT(got->first_code == wanted->code0);
      RC_ASSERT(got->first_value == wanted->value0);
    } else {
      // Two values for one code are no affine map either, and the library may meet the other break first.
      const std::string w = word(got.error());
      RC_ASSERT((w == wanted.why || (w == "not_affine" && wanted.why == "contradiction")));
      if (got.error().why == dytq::reason::not_affine) {
        // The counter-example is one of the given pairs.
        bool found = false;
        for (std::size_t i = 0; i < codes.size(); ++i) {
          found = found || (codes[i] == got.error().code && values[i] == got.error().got);
        }
        RC_ASSERT(found);
      }
    }
  }));
}

TEST_CASE("fit_rescale finds the largest shift and there the smallest multiplier, or proves that there is none") {
  CHECK(rc::check("fit_rescale", [] {
    source s(*oracle::any_seed());
    const oracle::fit_case f = fit_value(s);
    const auto op = operator_of(f.op);
    RC_PRE(op.has_value());
    const bool small = s.chance(30);
    const integer top = small ? s.range(0, 40) : 2147483647;
    const dytq::rescale_search search{.out = dytq::range_of(op->out),
                                      .input_zp = f.op.input_zp,
                                      .output_zp = f.op.output_zp,
                                      .rounding = op->rounding,
                                      .multiplier_max = top};
    const auto c32 = narrowed<std::int32_t>(f.codes), v32 = narrowed<std::int32_t>(f.values);
    const auto got =
        dytq::fit_rescale(dytq::view<const std::int32_t>(c32), dytq::view<const std::int32_t>(v32), search);
    const auto wanted = small ? oracle::fit_rescale_by_trial(f.op, f.codes, f.values, top)
                              : oracle::fit_rescale(f.op, f.codes, f.values);
    // The operator's own errors (a zero point of 300) are not this function's business.
    RC_PRE(oracle::rescale_error(f.op).empty());
    RC_ASSERT(got.has_value() == static_cast<bool>(wanted));
    if (got) {
      RC_ASSERT(integer{got->multiplier} == wanted->multiplier);
      RC_ASSERT(integer{got->shift} == wanted->shift);
    } else {
      RC_ASSERT(word(got.error()) == wanted.why);
    }
  }));
}
