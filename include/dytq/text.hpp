// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rejections as text, in the caller's memory: for messages where no formatting library is wanted.
#ifndef DYTQ_TEXT_HPP
#define DYTQ_TEXT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

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
    for (std::uint64_t rest = magnitude(v); rest != 0 || n == 0; rest /= 10) {
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
    for (std::uint64_t rest = magnitude(v) / 10; rest != 0; rest /= 10) {
      ++length;
    }
    for (; length < width; ++length) {
      add(' ');
    }
    return add(v);
  }

 private:
  std::array<char, Capacity + 1> text_{};
  std::size_t size_ = 0;
};

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
  return out.add(" (").add(describe(r.why).text).add(')');
}

}  // namespace v0
}  // namespace dytq

#endif
