// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejections as text in the caller's memory, without a formatting library.
#ifndef DYTQ_TEXT_HPP
#define DYTQ_TEXT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "numbers/integer.hpp"
#include "result.hpp"

namespace dytq {
inline namespace v0 {

/// Text of at most Capacity characters, 0-terminated; what does not fit is cut off.
template <std::size_t Capacity>
class text_buffer {
 public:
  /// The text, 0-terminated.
  constexpr const char* c_str() const { return text_.data(); }
  /// Its first character.
  constexpr const char* data() const { return text_.data(); }
  /// Characters, without the terminator.
  constexpr std::size_t size() const { return size_; }

  /// Appends a character.
  constexpr text_buffer& add(char c) {
    if (size_ < Capacity) {
      text_[size_++] = c;
    }
    return *this;
  }
  /// Appends a 0-terminated text.
  constexpr text_buffer& add(const char* s) {
    for (; *s != '\0'; ++s) {
      add(*s);
    }
    return *this;
  }
  /// Appends a number in decimal.
  constexpr text_buffer& add(std::int64_t v) {
    std::array<char, 20> digits{};
    std::size_t n = 0;
    for (std::uint64_t rest = detail::magnitude(v); rest != 0 || n == 0; rest /= 10) {
      digits[n++] = static_cast<char>('0' + rest % 10);
    }
    if (v < 0) {
      add('-');
    }
    while (n > 0) {
      add(digits[--n]);
    }
    return *this;
  }
  /// Blanks until `column` characters have followed `since`.
  constexpr text_buffer& pad_to(std::size_t since, std::size_t column) {
    while (size_ < since + column && size_ < Capacity) {
      add(' ');
    }
    return *this;
  }
  /// `v`, right-aligned in `width` characters.
  constexpr text_buffer& add_right(std::int64_t v, std::size_t width) {
    std::size_t length = v < 0 ? 2 : 1;
    for (std::uint64_t rest = detail::magnitude(v) / 10; rest != 0; rest /= 10) {
      ++length;
    }
    for (; length < width; ++length) {
      add(' ');
    }
    return add(v);
  }

  /// As a std::string_view, or another view of characters; not of a temporary, which it would outlive.
  template <class View>
  requires(std::is_trivially_copyable_v<View>&& std::is_constructible_v<View, const char*, std::size_t>&&
               std::is_same_v<typename View::value_type, char>) constexpr
  operator View() const& {
    return View(data(), size());
  }
  template <class View>
  requires(std::is_trivially_copyable_v<View>&& std::is_constructible_v<View, const char*, std::size_t>&&
               std::is_same_v<typename View::value_type, char>) constexpr
  operator View() const&& = delete;
  /// Text after a std::string, or another owner of characters.
  template <class String>
  requires requires(String& s, const char* p, std::size_t n) { s.append(p, n); }
  friend constexpr String operator+(String before, const text_buffer& text) {
    before.append(text.data(), text.size());
    return before;
  }
  /// The same the other way around.
  template <class String>
  requires requires(String& s, const char* p, std::size_t n) { s.insert(n, p, n); }
  friend constexpr String operator+(const text_buffer& text, String after) {
    after.insert(0, text.data(), text.size());
    return after;
  }

 private:
  std::array<char, Capacity + 1> text_{};
  std::size_t size_ = 0;
};

/// What the two numbers of a reason are, in a user's units; empty where it has none.
struct reason_numbers {
  const char* expected;  ///< what would pass
  const char* got;       ///< what there is instead
};

/// What `expected` and `got` of a rejection are. A rejection may lack them where there is no one such number: padding
/// that no zero point serves, a target that lacks an operator, a bound or a bias that no width holds.
constexpr reason_numbers numbers(reason r) {
  switch (r) {
    case reason::scale_too_large:
    case reason::scale_too_small: return {"the last shift that there is", "the shift that the scale needs"};
    case reason::multiplier_negative:
    case reason::multiplier_too_large: return {"the nearest legal multiplier", "the multiplier"};
    case reason::shift_out_of_range:
    case reason::left_shift_out_of_range: return {"the nearest legal shift", "the shift"};
    case reason::value_exceeds_shift: return {"the nearest that the shifts take", "the value less its zero point"};
    case reason::value_exceeds_int48: return {"the nearest number of 48 bits", "the value"};
    case reason::value_exceeds_int32: return {"the nearest number of 32 bits", "the number"};
    case reason::mul_overflow: return {"the nearest number of 32 bits", "the rounded product"};
    case reason::add_overflow: return {"the nearest number of 32 bits", "the sum"};
    case reason::table_slope_overflow:
      return {"the nearest difference of 16 bits", "the difference of two neighbouring entries"};
    case reason::zero_point_not_zero:
    case reason::zero_point_out_of_range: return {"the nearest legal zero point", "the zero point"};
    case reason::unknown_rounding_mode:
    case reason::unknown_type: return {"", "the number of the enumerator, or the bits asked for"};
    case reason::unsigned_wide_type: return {"the most bits of an unsigned type", "the bits asked for"};
    case reason::per_channel_count: return {"the entries that there must be", "the entries"};
    case reason::table_size: return {"the entries of a table", "the entries"};
    case reason::pad_out_of_range: return {"the nearest legal padding", "the padding"};
    case reason::stride_not_positive: return {"1", "the stride"};
    case reason::dilation_not_positive: return {"1", "the dilation"};
    case reason::stride_does_not_divide:
      return {"the next smaller multiple of the stride", "the padded input less the dilated kernel"};
    case reason::shape_mismatch: return {"the extent that agrees", "the extent"};
    case reason::bias_count: return {"the output channels", "the entries of the bias"};
    case reason::group_count: return {"the greatest common divisor of both", "the groups"};
    case reason::negative_extent: return {"0", "the extent"};
    case reason::extent_overflow: return {"the largest that there may be", "the extent"};
    case reason::aliased_output: return {"the least stride that keeps elements apart", "the stride"};
    case reason::overlapping_views: return {"of several convolutions, the number of the other", "that of the one"};
    case reason::code_out_of_range: return {"the nearest code in range", "the code"};
    case reason::range_inverted: return {"the nearest bound that would do", "the bound"};
    case reason::empty: return {"1", "how many there are"};
    case reason::geometry_unset: return {"1, or an axis", "the kernel's extent"};
    case reason::size_mismatch: return {"the size that agrees", "the size"};
    case reason::contradiction: return {"the first value of the code", "the second"};
    case reason::channel_count: return {"the channels that agree", "the channels"};
    case reason::zero_point_mismatch: return {"the zero point of the codes that it reads", "the zero point it says"};
    case reason::not_affine:
      return {"what a line gives at the code; on a line, the nearest rise that an integer weight can make",
              "what the channel's map gives; on a line, the weight times its rise"};
    case reason::weight_overflow: return {"the nearest legal weight", "the folded weight"};
    case reason::padding:
      return {"the zero point that serves elsewhere, or the nearest code", "the zero point that would serve"};
    case reason::bias_overflow: return {"the nearest number of 32 bits", "the folded bias"};
    case reason::accumulator_overflow: return {"the nearest that fits", "the accumulator at its largest"};
    case reason::not_identity: return {"the code", "what the channel makes of it"};
    case reason::not_uniform: return {"what channel 0 makes of the code", "what the channel makes of it"};
    case reason::not_parallel: return {"the difference vector of the others at the code", "that of the channel"};
    case reason::not_scale_one: return {"the code less the zero point", "what the RESCALE makes of it"};
    case reason::no_rescale: return {"the value of the code", ""};
    case reason::no_line: return {"what a line would need at the code", "the nearest that the map allows"};
    case reason::estimate_wrong: return {"the entry by signs alone", "the entry by estimates"};
    case reason::target_lacks: return {"the most slices that the target takes", "the slices that it would be"};
    case reason::fold_differs:
      return {"what the original gives: a code, a rise from the first code on, the bias that it needs", "the claim's"};
    case reason::beyond_tolerance: return {"the tolerance", "the largest difference, in codes"};
    case reason::none:
    case reason::scale_not_finite:
    case reason::scale_negative:
    case reason::scale_not_positive:
    case reason::scale_not_float32:
    case reason::parameter_not_finite:
    case reason::scale32_with_int48:
    case reason::double_round_without_scale32:
    case reason::inexact_round:
    case reason::both_unsigned:
    case reason::unsigned_with_int32:
    case reason::int48_to_unsigned:
    case reason::unknown_dialect:
    case reason::null_view:
    case reason::output_missing:
    case reason::undecided:
    case reason::outside_domain:
    case reason::no_line_weight:
    case reason::no_gamma:
    case reason::no_beta:
    case reason::no_chain:
    case reason::observable_code:
    case reason::shared:
    case reason::count_: break;  // these have none
  }
  return {"", ""};
}

/// "not_affine at weight, channel 3, code 17: expected 20, got 21 (the channel's map ... )".
constexpr text_buffer<384> to_text(const rejection& r) {
  text_buffer<384> out;
  out.add(name(r.why));
  const char* separator = " at ";
  if (r.at != place::none) {
    out.add(separator).add(name(r.at));
    separator = ", ";
  }
  const auto part = [&](const char* what, std::int64_t v) {
    if (v != unset) {
      out.add(separator).add(what).add(' ').add(v);
      separator = ", ";
    }
  };
  part("step", r.step);
  part("convolution", r.convolution);
  part("channel", r.channel);
  part("output channel", r.output_channel);
  part("tap", r.tap);
  part("axis", r.axis);
  part("code", r.code);
  separator = ": ";
  part("expected", r.expected);
  part("got", r.got);
  part("least possible", r.least);
  return out.add(" (").add(describe(r.why).text).add(')');
}

}  // namespace v0
}  // namespace dytq

#endif
