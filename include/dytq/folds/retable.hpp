// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fold into a new TABLE and the weights: what all channels have in common goes into the TABLE, and an integer
// factor for each channel into the weights.
//
// If the difference vectors v_c = (y_c(x) - y_c(x0)) over X are multiples s_c * d of one primitive vector d, then for
// any k that divides every w * s_c the TABLE can emit k * d (from some t0 on) and the weights become w * s_c / k: a
// line for each channel, numerator s_c, denominator k, in D(x) = k * d(x). So it is the engine of the plain fold with
// other lines: the plain fold is the k for which k * d(x) = x - x0; one map for all channels is the k that leaves the
// weights alone.
#ifndef DYTQ_FOLDS_RETABLE_HPP
#define DYTQ_FOLDS_RETABLE_HPP

#include <array>
#include <cstdint>

#include "../codes.hpp"
#include "../conv.hpp"
#include "../numbers/integer.hpp"
#include "../operators/geometry.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"
#include "padding_offset.hpp"
#include "proof.hpp"
#include "weights.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

// f(input channel, centered weight) for every weight on a touched tap.
template <class F>
constexpr void for_each_touched_weight(const convolution& conv, const conv_geometry& geometry, F f) {
  for (std::int64_t o = 0; o < conv.output_channels(); ++o) {
    const std::int64_t first = o / (conv.output_channels() / conv.groups) * conv.group_inputs();
    const std::int32_t w_zp = weight_zero_point(conv, o);
    for (tap_walk tap(geometry); tap; tap.next()) {
      const std::int8_t* w = conv.weight.data + conv.weight.offset({o, tap.d, tap.y, tap.x, 0});
      const std::int64_t inputs = tap.touched() ? conv.group_inputs() : 0;
      for (std::int64_t i = 0; i < inputs; ++i) {
        f(first + i, w[i * conv.weight.strides[4]] - w_zp);
      }
    }
  }
}

// The difference vector of one channel as multiple * direction, direction primitive; all zero: multiple 0.
struct difference_vector {
  std::array<std::int16_t, 256> direction{};
  std::int16_t multiple = 0;

  constexpr difference_vector() = default;
  constexpr difference_vector(const site_maps& maps, const site_maps::channel_constants& k) {
    const int first = maps.map(k, 0);
    std::uint64_t divisor = 0;
    int sign = 0;
    for (int i = 0; i < maps.count(); ++i) {
      const int v = maps.map(k, i) - first;
      direction[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(v);
      divisor = greatest_common_divisor(divisor, magnitude(v));
      sign = sign != 0 || v == 0 ? sign : v < 0 ? -1 : 1;
    }
    multiple = static_cast<std::int16_t>(sign * static_cast<int>(divisor));
    for (int i = 0; i < maps.count() && multiple != 0; ++i) {
      direction[static_cast<std::size_t>(i)] =
          static_cast<std::int16_t>(direction[static_cast<std::size_t>(i)] / multiple);
    }
  }
};

class retabling {
 public:
  constexpr retabling(const affine_site& site, const site_maps& maps, const convolution& conv,
                      const conv_geometry& geometry, const fold_outputs& outputs, std::int64_t most)
      : site_(site),
        maps_(maps),
        conv_(conv),
        geometry_(geometry),
        out_(outputs),
        most_(most),
        lines_{outputs.workspace} {}

  constexpr result<table_and_conv_fold> run() {
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      const auto k = maps_.channel(c);
      if (!k) {
        return k.error();
      }
      lines_.set(c, {.numerator = 0, .denominator = 0, .first_value = static_cast<std::int16_t>(maps_.map(*k, 0))});
    }
    // Marks the channels with a weight that is not 0 by a denominator of 1: only these matter.
    for_each_touched_weight(conv_, geometry_, [&](std::int64_t c, std::int32_t w) {
      denominator(c) = static_cast<std::int16_t>(w != 0 ? 1 : denominator(c));
    });
    if (const rejection why = find_direction(); why.why != reason::none) {
      return why;
    }
    return common_.multiple != 0 ? with_direction() : without_direction();
  }

 private:
  constexpr std::int16_t& numerator(std::int64_t c) const { return out_.workspace.data[out_.workspace.offset({c})]; }
  constexpr std::int16_t& denominator(std::int64_t c) const { return numerator(conv_.input_channels() + c); }

  /// Leaves each channel's multiple in its line's numerator.
  constexpr rejection find_direction() {
    for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
      if (denominator(c) == 0) {
        denominator(c) = 1;
        continue;
      }
      const difference_vector v(maps_, *maps_.channel(c));
      numerator(c) = v.multiple;
      if (v.multiple == 0) {
        continue;
      }
      if (common_.multiple == 0) {
        common_ = v;
      }
      for (int i = 0; i < maps_.count(); ++i) {
        if (common_.direction[static_cast<std::size_t>(i)] != v.direction[static_cast<std::size_t>(i)]) {
          return {.why = reason::not_parallel,
                  .at = place::table,
                  .channel = c,
                  .code = maps_.code(i),
                  .expected = common_.direction[static_cast<std::size_t>(i)],
                  .got = v.direction[static_cast<std::size_t>(i)]};
        }
      }
    }
    return {};
  }

  /// Greatest common divisor of w * f(channel) over all weights on touched taps.
  template <class F>
  constexpr std::int64_t common_divisor(F f) const {
    std::uint64_t divisor = 0;
    for_each_touched_weight(conv_, geometry_, [&](std::int64_t c, std::int32_t w) {
      divisor = greatest_common_divisor(magnitude(w * f(c)), divisor);
    });
    return static_cast<std::int64_t>(divisor);
  }

  /// Tries `attempt(m)` for m = +a, then -a, a from `largest` down to 1 dividing `divisor`; the first success wins.
  template <class F>
  constexpr result<table_and_conv_fold> first_of(std::int64_t largest, std::int64_t divisor, rejection why,
                                                 F attempt) const {
    for (std::int64_t a = largest; a >= 1; --a) {
      for (const std::int64_t m : {a, -a}) {
        if (divisor % a != 0) {
          continue;
        }
        const result<table_and_conv_fold> fold = attempt(m);
        if (fold) {
          return fold;
        }
        why = fold.error();
      }
    }
    return why;
  }

  constexpr result<table_and_conv_fold> with_direction() const {
    code_range spread{0, 0};
    for (int i = 0; i < maps_.count(); ++i) {
      spread = spread.extended_to(common_.direction[static_cast<std::size_t>(i)]);
    }
    const std::int64_t divisor = common_divisor([&](std::int64_t c) { return numerator(c); });
    return first_of(smaller(most_, 255 / (spread.hi - spread.lo)), divisor,
                    {.why = reason::weight_overflow, .at = place::weight}, [&](std::int64_t k) {
                      for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
                        denominator(c) = static_cast<std::int16_t>(k);
                      }
                      const code_range deltas =
                          k > 0 ? code_range{k * spread.lo, k * spread.hi} : code_range{k * spread.hi, k * spread.lo};
                      return solve({.deltas = deltas,
                                    .offsets = {-(deltas.lo + 255), 255 - deltas.hi},
                                    .preferred = std::int64_t{maps_.code(0)} - site_.table_zp,
                                    .when_free = free_offset::nearest},
                                   k);
                    });
  }

  /// All channels that matter are constant. (a) The weights become 0, and the table stays; else (b) the table becomes
  /// constant, and each weight adds what it did, so that the bias stays.
  constexpr result<table_and_conv_fold> without_direction() const {
    const std::int64_t x0 = maps_.code(0);
    weight_fold pruned(conv_, geometry_, lines_);
    const auto own = pruned.solve(
        {.deltas = {0, 0}, .offsets = {x0 - int8_range.hi, x0 - int8_range.lo}, .preferred = x0 - site_.table_zp});
    if (own) {
      table_and_conv_fold done = write(pruned, *own);
      for (std::int64_t q = 0; q < 256; ++q) {
        done.table[static_cast<std::size_t>(q)] = site_.table(q);
      }
      done.input_zp = site_.table_zp;
      return done;
    }
    const auto contribution = [&](std::int64_t c) { return lines_[c].first_value - conv_.input_zp; };
    const std::int64_t divisor = common_divisor(contribution);
    return first_of(divisor == 0 ? 0 : 255, divisor, own.error(), [&](std::int64_t r) {
      for (std::int64_t c = 0; c < conv_.input_channels(); ++c) {
        numerator(c) = static_cast<std::int16_t>(contribution(c));
        denominator(c) = static_cast<std::int16_t>(r);
      }
      return solve({.deltas = {0, 0}, .offsets = {r, r}, .preferred = r}, 0);
    });
  }

  constexpr result<table_and_conv_fold> solve(const offset_request& ask, std::int64_t k) const {
    weight_fold fold(conv_, geometry_, lines_);
    const result<std::int64_t> r = fold.solve(ask);
    if (!r) {
      return in_zero_points(r.error(), maps_.code(0));
    }
    const std::int64_t x0 = maps_.code(0);
    const code_range codes{-128 - ask.deltas.lo, 127 - ask.deltas.hi};  // where the table and its zero point are int8
    const std::int64_t t0 = codes.meet({*r - 128, *r + 127}).clamp(x0);
    table_and_conv_fold done = write(fold, *r);
    done.input_zp = static_cast<std::int32_t>(t0 - *r);
    done.multiple = static_cast<std::int32_t>(k);
    std::array<std::int8_t, 256> image{};  // of code + 128; codes outside X read as x0
    for (std::int8_t& code : image) {
      code = static_cast<std::int8_t>(t0);
    }
    for (int i = 0; i < maps_.count(); ++i) {
      image[static_cast<std::size_t>(maps_.code(i) + 128)] =
          static_cast<std::int8_t>(t0 + k * common_.direction[static_cast<std::size_t>(i)]);
    }
    for (std::int64_t q = 0; q < 256; ++q) {
      done.table[static_cast<std::size_t>(q)] = image[table_index(site_.table(q))];
    }
    return done;
  }

  constexpr table_and_conv_fold write(const weight_fold& fold, std::int64_t r) const {
    table_and_conv_fold done;
    const weight_fold::changes changes = fold.write(r, out_.weight, out_.bias);
    done.weights_changed = changes.weights;
    done.bias_changed = changes.bias;
    return done;
  }

  const affine_site& site_;
  const site_maps& maps_;
  const convolution& conv_;
  const conv_geometry& geometry_;
  const fold_outputs& out_;
  std::int64_t most_;
  channel_lines lines_;
  difference_vector common_;
};

/// Proves the fold into a new TABLE and a convolution, and writes it unless it is only asked. The TABLE emits `most`
/// times the common direction at most.
constexpr result<table_and_conv_fold> fold_with_table(const affine_site& site, const site_maps& maps,
                                                      const convolution& conv, const fold_outputs& out, bool asks,
                                                      std::int64_t most = 255) {
  const result<conv_geometry> geometry = validate(site, conv);
  if (!geometry) {
    return geometry.error();
  }
  if (const verdict v = validate_outputs(site, conv, out, asks); !v) {
    return v.error();
  }
  return retabling(site, maps, conv, *geometry, out, most).run();
}

/// The multiple of the common direction, at most, with which one TABLE serves all readers: each alone takes the largest
/// that divides its weights. Readers: their convolutions, `conv`.
/// Errors: those of `fold_with_table`, with the number of the reader; shared: the TABLEs differ.
template <class Readers>
constexpr result<std::int64_t> shared_multiple(const affine_site& site, const site_maps& maps, const Readers& readers,
                                               const fold_outputs& asked) {
  const auto of_reader = [&](const rejection& why, std::int64_t r) {
    return of_convolution(why, readers.extent(0) > 1 ? r : unset);
  };
  for (std::int64_t most = 255, next = 255;; most = next) {
    table8 table{};
    std::int64_t other = 0;  // the first reader whose TABLE is not the one before it
    for (std::int64_t r = 0; r < readers.extent(0); ++r) {
      const auto made = fold_with_table(site, maps, readers.data[readers.offset({r})].conv, asked, true, most);
      if (!made) {
        return of_reader(made.error(), r);
      }
      other = other == 0 && r > 0 && !(made->table == table) ? r : other;
      table = made->table;
      const std::int64_t size = made->multiple < 0 ? -made->multiple : made->multiple;
      next = size != 0 ? smaller(next, size) : next;
    }
    if (other == 0) {
      return most;
    }
    if (next == most) {
      return of_reader({.why = reason::shared, .at = place::table}, other);
    }
  }
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
