// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "number.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace table_tool {

namespace {

/// A natural number of any size.
class natural {
 public:
  natural() = default;

  bool is_zero() const { return digits_.empty(); }
  /// this * factor + term
  void multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::uint32_t& d : digits_) {
      carry += std::uint64_t{d} * factor;
      d = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) {
      digits_.push_back(static_cast<std::uint32_t>(carry));
    }
  }
  void shift_left(std::size_t by) {
    for (; by >= 16; by -= 16) {
      multiply_add(1u << 16, 0);
    }
    multiply_add(1u << by, 0);
  }
  void subtract(const natural& smaller) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      borrow += std::int64_t{digits_[i]} - (i < smaller.digits_.size() ? std::int64_t{smaller.digits_[i]} : 0);
      digits_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (!digits_.empty() && digits_.back() == 0) {
      digits_.pop_back();
    }
  }
  std::int64_t bits() const {
    return is_zero() ? 0 : static_cast<std::int64_t>(32 * digits_.size()) - std::countl_zero(digits_.back());
  }
  bool operator<(const natural& other) const {
    return digits_.size() != other.digits_.size()
               ? digits_.size() < other.digits_.size()
               : std::lexicographical_compare(digits_.rbegin(), digits_.rend(), other.digits_.rbegin(),
                                              other.digits_.rend());
  }

 private:
  std::vector<std::uint32_t> digits_;  // least significant first; no leading zeros
};

/// value = integer * 2^twos * 10^tens
struct scaled {
  natural integer;
  std::int64_t twos = 0;
  std::int64_t tens = 0;
};

constexpr std::size_t longest_text = 2000;
constexpr std::int64_t largest_exponent = 20000;

int digit_of(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : 99;
}

class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool take(char small, char capital) {
    if (text_.empty() || (text_.front() != small && text_.front() != capital)) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }

  /// Without a sign.
  std::optional<scaled> number() {
    const bool hexadecimal = text_.size() > 1 && text_[0] == '0' && (text_[1] == 'x' || text_[1] == 'X');
    if (hexadecimal) {
      text_.remove_prefix(2);
    }
    const int base = hexadecimal ? 16 : 10;
    scaled v;
    std::int64_t digits = 0, behind_point = 0;
    for (bool point = false; !text_.empty(); text_.remove_prefix(1)) {
      const int d = digit_of(text_.front());
      if (d < base) {
        v.integer.multiply_add(static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(d));
        ++digits;
        behind_point += point ? 1 : 0;
      } else if (text_.front() == '.' && !point) {
        point = true;
      } else {
        break;
      }
    }
    std::int64_t exponent = 0;
    if (digits == 0 || ((hexadecimal ? take('p', 'P') : take('e', 'E')) && !read_exponent(exponent))) {
      return std::nullopt;
    }
    (hexadecimal ? v.twos : v.tens) = exponent - (hexadecimal ? 4 : 1) * behind_point;
    return v;
  }

 private:
  bool read_exponent(std::int64_t& exponent) {
    const bool negative = take('-', '-');
    if (!negative) {
      take('+', '+');
    }
    bool any = false;
    for (; !text_.empty() && digit_of(text_.front()) < 10; text_.remove_prefix(1), any = true) {
      exponent = std::min(10 * exponent + digit_of(text_.front()), largest_exponent + 1);
    }
    exponent = negative ? -exponent : exponent;
    return any && exponent >= -largest_exponent && exponent <= largest_exponent;
  }

  std::string_view text_;
};

/// n / d, rounded to nearest even. Nothing if it is infinite.
std::optional<double> nearest(natural n, natural d) {
  if (n.is_zero()) {
    return 0.0;
  }
  // 2^exponent <= n / d < 2^(exponent + 1), once both are brought to the same size.
  std::int64_t exponent = n.bits() - d.bits();
  (exponent < 0 ? n : d).shift_left(static_cast<std::size_t>(exponent < 0 ? -exponent : exponent));
  if (n < d) {
    n.shift_left(1);
    --exponent;
  }
  const std::int64_t lowest = exponent < -1022 ? -1022 : exponent;  // subnormal numbers have fewer bits
  const std::int64_t bits = 53 - (lowest - exponent);
  if (bits < 0) {
    return 0.0;
  }
  std::uint64_t mantissa = 0;
  for (std::int64_t i = 0; i < bits; ++i) {
    mantissa <<= 1;
    if (!(n < d)) {
      n.subtract(d);
      mantissa |= 1;
    }
    n.shift_left(1);
  }
  // What is left is n / 2 d of a unit; with no bit at all, it is n / d of two units.
  if (bits == 0) {
    d.shift_left(1);
    n.shift_left(1);
  }
  if (d < n || (!(n < d) && (mantissa & 1) != 0)) {
    ++mantissa;
  }
  // A carry runs into the exponent, as it should.
  const std::uint64_t field = bits == 53 ? static_cast<std::uint64_t>(exponent + 1022) : 0;
  const std::uint64_t all = (field << 52) + mantissa;
  return all >= std::uint64_t{0x7ff} << 52 ? std::nullopt : std::optional(std::bit_cast<double>(all));
}

void multiply_power_of_ten(natural& v, std::int64_t exponent) {
  for (; exponent > 0; --exponent) {
    v.multiply_add(10, 0);
  }
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > longest_text) {
    return std::nullopt;
  }
  reader in(text);
  const bool negative = in.take('-', '-');
  if (!negative) {
    in.take('+', '+');
  }
  auto n = in.number();
  scaled one;
  one.integer.multiply_add(1, 1);
  const std::optional<scaled> d = in.take('/', '/') ? in.number() : one;
  if (!n || !d || !in.done() || d->integer.is_zero()) {
    return std::nullopt;
  }
  natural over = n->integer, under = d->integer;
  const std::int64_t twos = n->twos - d->twos, tens = n->tens - d->tens;
  multiply_power_of_ten(tens < 0 ? under : over, tens < 0 ? -tens : tens);
  (twos < 0 ? under : over).shift_left(static_cast<std::size_t>(twos < 0 ? -twos : twos));
  const std::optional<double> v = nearest(over, under);
  return v && negative ? std::optional(-*v) : v;
}

std::string hexadecimal(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  const auto field = static_cast<int>(bits >> 52 & 0x7ff);
  std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  std::string text = (bits >> 63) != 0 ? "-0x" : "0x";
  text += field == 0 ? '0' : '1';
  if (fraction != 0) {
    text += '.';
    for (; fraction != 0; fraction = fraction << 4 & ((std::uint64_t{1} << 52) - 1)) {
      text += "0123456789abcdef"[fraction >> 48];
    }
  }
  return text + 'p' + std::to_string(field == 0 ? (bits << 1 == 0 ? 0 : -1022) : field - 1023);
}

}  // namespace table_tool
