// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches of a chain as maps of codes. A stretch is the steps between two int8 cuts: a map of codes for each channel.
#ifndef DYTQ_REWRITES_STRETCH_HPP
#define DYTQ_REWRITES_STRETCH_HPP

#include <cstdint>

#include "../chain.hpp"
#include "../codes.hpp"
#include "../folds/channel_line.hpp"
#include "../result.hpp"
#include "../site.hpp"
#include "../table.hpp"
#include "../view.hpp"
#include "form.hpp"

namespace dytq {
inline namespace v0 {

namespace detail {

/// The codes of every channel at every int8 cut, in the caller's memory. A shared cut has one row of codes, any other
/// cut one for each channel. Entry i of a row belongs to the i-th code at the entrance.
class cut_codes {
 public:
  constexpr cut_codes() = default;

  /// Number of codes to store.
  static constexpr std::int64_t size_of(const chain_maps& maps) {
    std::int64_t size = 0;
    for (int cut = 0; cut <= maps.steps(); ++cut) {
      size += maps.is_int8(cut) ? maps.count() * (cut <= maps.shared_steps() ? 1 : maps.channels()) : 0;
    }
    return size;
  }
  /// Computes the codes. Shape: memory [size_of(maps)]. Errors: those of `chain_maps::channel`.
  constexpr verdict fill(const chain_maps& maps, std::int8_t* memory) {
    maps_ = &maps;
    for (int cut = 0; cut <= maps.steps(); ++cut) {
      if (maps.is_int8(cut)) {
        cut_[cuts_] = cut;
        range_[cuts_] = {int8_range.hi, int8_range.lo};
        stride_[cuts_] = cut <= maps.shared_steps() ? 0 : maps.count();
        first_[cuts_++] = memory;
        memory += maps.count() * (cut <= maps.shared_steps() ? 1 : maps.channels());
      }
    }
    std::int32_t values[256]{};
    for (int i = 0; i < maps.count(); ++i)
      values[i] = maps.code(i);
    (void)follow({}, 0, 0, values);
    for (std::int64_t c = 0; c < maps.channels() && stride_[cuts_ - 1] != 0; ++c) {
      const result<chain_maps::channel_constants> k = maps.channel(c);
      if (!k) {
        return k.error();
      }
      maps.start(values);
      (void)follow(*k, maps.shared_steps(), maps.count(), values);
    }
    return accepted{};
  }

  /// Number of int8 cuts, with the entrance and the end.
  constexpr int cuts() const { return cuts_; }
  /// The cut of the a-th int8 cut, as `chain_maps` counts them.
  constexpr int cut(int a) const { return cut_[a]; }
  /// Do all channels share their codes at int8 cut a?
  constexpr bool shared(int a) const { return stride_[a] == 0; }
  /// The codes of channel c at int8 cut a.
  constexpr const std::int8_t* row(int a, std::int64_t c) const { return first_[a] + stride_[a] * c; }
  /// The least and the greatest code of all channels at int8 cut a.
  constexpr const code_range& range(int a) const { return range_[a]; }
  /// Number of codes at the entrance.
  constexpr int count() const { return maps_->count(); }
  /// Number of maps between two cuts: 1 if all channels share both, else C.
  constexpr std::int64_t channels(int a, int b) const { return shared(a) && shared(b) ? 1 : maps_->channels(); }
  constexpr const chain_maps& maps() const { return *maps_; }

  /// The map of channel c between two cuts: from each code that occurs at cut a to the code at cut b.
  class code_map {
   public:
    constexpr code_map(const cut_codes& codes, int a, int b, std::int64_t c) {
      const std::int8_t* const from = codes.row(a, c);
      const std::int8_t* const to = codes.row(b, c);
      const int n = codes.count();
      if (a == 0) {  // codes at the entrance are sorted
        for (; size < n; ++size)
          code[size] = from[size];
        for (int i = 0; i < size; ++i)
          value[i] = to[i];
        return;
      }
      constexpr std::int16_t none = 1000;
      std::int16_t of[256]{};
      for (std::int16_t& v : of)
        v = none;
      for (int i = 0; i < n; ++i)
        of[from[i] + 128] = to[i];
      for (int x = 0; x < 256; ++x) {
        if (of[x] != none) {
          code[size] = static_cast<std::int16_t>(x - 128);
          value[size++] = of[x];
        }
      }
    }

    std::int16_t code[256]{};   ///< in increasing order
    std::int16_t value[256]{};  ///< of each
    int size = 0;
    constexpr view<const std::int16_t> codes() const { return {code, {size}}; }
    constexpr view<const std::int16_t> values() const { return {value, {size}}; }
  };

 private:
  // Stores the values at the cuts after `step`, of one channel or shared.
  constexpr void follow(const chain_maps::channel_constants& k, int step, std::int64_t stride, std::int32_t* values) {
    for (int a = 0; a < cuts_; ++a) {
      if ((stride_[a] == 0) != (stride == 0)) {
        continue;
      }
      maps_->advance(k, step, cut_[a], values);
      step = cut_[a];
      std::int8_t* const to = first_[a] + stride_[a] * k.channel;
      code_range& range = range_[a];
      const int n = maps_->count();
      for (int i = 0; i < n; ++i) {
        to[i] = static_cast<std::int8_t>(values[i]);
        range.lo = values[i] < range.lo ? values[i] : range.lo;
        range.hi = values[i] > range.hi ? values[i] : range.hi;
      }
    }
  }

  const chain_maps* maps_ = nullptr;
  int cuts_ = 0;
  int cut_[max_chain_steps + 1]{};
  std::int64_t stride_[max_chain_steps + 1]{};
  std::int8_t* first_[max_chain_steps + 1]{};
  code_range range_[max_chain_steps + 1]{};
};
using code_map = cut_codes::code_map;

/// Is a stretch the identity? Errors: not_identity.
constexpr verdict is_identity(const cut_codes& codes, int a, int b) {
  for (std::int64_t c = 0; c < codes.channels(a, b); ++c) {
    const std::int8_t* const from = codes.row(a, c);
    const std::int8_t* const to = codes.row(b, c);
    const int n = codes.count();
    for (int i = 0; i < n; ++i) {
      if (from[i] != to[i]) {
        return rejection{.why = reason::not_identity, .channel = c, .code = from[i], .expected = from[i], .got = to[i]};
      }
    }
  }
  return accepted{};
}

/// One table for a stretch, if all channels have the same map. Entries of codes that do not occur are not written.
/// Errors: not_uniform.
constexpr verdict shared_table(const cut_codes& codes, int a, int b, std::int8_t* table) {
  std::int64_t channel_of[256]{};  // 1 + the channel that wrote the entry; 0: not written
  for (std::int64_t c = 0; c < codes.channels(a, b); ++c) {
    const std::int8_t* const from = codes.row(a, c);
    const std::int8_t* const to = codes.row(b, c);
    const int n = codes.count();
    for (int i = 0; i < n; ++i) {
      const int x = from[i] + 128;
      if (channel_of[x] == 0) {
        channel_of[x] = c + 1;
        table[x] = to[i];
      } else if (table[x] != to[i]) {
        return rejection{.why = reason::not_uniform, .channel = c, .code = from[i], .expected = table[x], .got = to[i]};
      }
    }
  }
  return accepted{};
}

/// Counts the distinct tables of a stretch, in order of first appearance, and writes each channel's index.
///
/// Tables are equal if the same codes occur and have equal entries. `slices`: runs of neighbouring channels with one
/// table. With a tolerance, each channel takes the first earlier table that differs by no more than that, or makes its
/// own; `max_difference` and `differ` then are the largest difference and the number of entries that differ.
/// Shape: index [C].
struct table_count {
  std::int64_t tables = 0;
  std::int64_t slices = 0;
  std::int64_t max_difference = 0;
  std::int64_t differ = 0;
};
constexpr table_count count_near_tables(const cut_codes& codes, int a, int b, std::int32_t* index,
                                        std::int64_t tolerance) {
  table_count found;
  const std::int64_t channels = codes.channels(a, b);
  const auto distance = [](int x, int y) { return x < y ? y - x : x - y; };
  // Until all tables are found, -1 - c marks a channel with its own table.
  for (std::int64_t c = 0; c < channels; ++c) {
    const code_map own(codes, a, b, c);
    std::int16_t own_value[256]{};  // by code; 1000 where the code does not occur
    for (std::int16_t& v : own_value)
      v = 1000;
    for (int i = 0; i < own.size; ++i)
      own_value[own.code[i] + 128] = own.value[i];
    // Cheap first test: most channels differ at one of their first codes.
    const auto differs = [&](std::int64_t d) {
      const std::int8_t* const from = codes.row(a, d);
      const std::int8_t* const to = codes.row(b, d);
      bool within = true;
      for (int i = 0; within && i < codes.count(); ++i)
        within = distance(own_value[from[i] + 128], to[i]) <= tolerance;
      return !within;
    };
    index[c] = static_cast<std::int32_t>(-1 - c);
    for (std::int64_t d = 0; d < c && index[c] < 0; ++d) {
      if (index[d] >= 0 || differs(d)) {
        continue;
      }
      const code_map other(codes, a, b, d);
      bool nearest = own.size == other.size;
      std::int64_t most = 0;
      std::int64_t differ = 0;
      for (int i = 0; nearest && i < own.size; ++i) {
        const int off = distance(own.value[i], other.value[i]);
        nearest = own.code[i] == other.code[i] && off <= tolerance;
        most = off > most ? off : most;
        differ += off != 0 ? 1 : 0;
      }
      if (nearest) {
        index[c] = static_cast<std::int32_t>(d);
        found.max_difference = most > found.max_difference ? most : found.max_difference;
        found.differ += differ;
      }
    }
  }
  for (std::int64_t c = 0; c < channels; ++c) {
    index[c] = index[c] < 0 ? static_cast<std::int32_t>(found.tables++) : index[index[c]];
    found.slices += c == 0 || index[c] != index[c - 1] ? 1 : 0;
  }
  for (std::int64_t c = channels; c < codes.maps().channels(); ++c)
    index[c] = 0;
  return found;
}
constexpr table_count count_tables(const cut_codes& codes, int a, int b, std::int32_t* index,
                                   std::int64_t tolerance = 0) {
  if (tolerance > 0) {
    return count_near_tables(codes, a, b, index, tolerance);
  }
  table_count found;
  // Hashes each channel's map, then compares it with earlier ones of the same hash.
  const std::int64_t channels = codes.channels(a, b);
  const auto hash = [&](std::int64_t c) {
    std::uint32_t h = 2166136261u;
    if (codes.shared(a)) {
      const std::int8_t* const to = codes.row(b, c);
      for (int i = 0; i < codes.count(); ++i)
        h = (h ^ static_cast<std::uint8_t>(to[i])) * 16777619u;
    } else {
      const code_map map(codes, a, b, c);
      for (int i = 0; i < map.size; ++i) {
        h = (h ^ static_cast<std::uint32_t>(map.code[i] * 256 + map.value[i])) * 16777619u;
      }
    }
    return static_cast<std::int32_t>(h & 0x7fffffffu);
  };
  const auto equal = [&](std::int64_t c, std::int64_t d) {
    const code_map one(codes, a, b, c);
    const code_map other(codes, a, b, d);
    bool same = one.size == other.size;
    for (int i = 0; same && i < one.size; ++i)
      same = one.code[i] == other.code[i] && one.value[i] == other.value[i];
    return same;
  };
  for (std::int64_t c = 0; c < channels; ++c)
    index[c] = hash(c);
  // Backwards, since the result overwrites the hash: -1 - (first channel with the same table).
  for (std::int64_t c = channels; c-- > 0;) {
    std::int64_t before = 0;
    while (before < c && !(index[before] == index[c] && equal(before, c)))
      ++before;
    index[c] = static_cast<std::int32_t>(-1 - before);
  }
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::int64_t first = -1 - std::int64_t{index[c]};
    index[c] = first == c ? static_cast<std::int32_t>(found.tables++) : index[first];
    found.slices += c == 0 || index[c] != index[c - 1] ? 1 : 0;
  }
  for (std::int64_t c = channels; c < codes.maps().channels(); ++c)
    index[c] = 0;
  return found;
}

/// The identity as a TABLE, for a site that begins at a cut.
inline constexpr table8 identity_table = [] {
  table8 t{};
  for (std::size_t i = 0; i < 256; ++i)
    t[i] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
  return t;
}();

/// A validated chain, with the codes of every channel at every int8 cut.
class planned_chain {
 public:
  constexpr planned_chain(const chain& c, const chain_maps& maps) : chain_(c), maps_(maps) {}

  /// Computes the codes in the workspace.
  /// Errors: size_mismatch: the workspace; those of its views and of `chain_maps`.
  constexpr verdict fill(const plan_workspace& workspace, bool has_readers) {
    const std::int64_t channels = chain_.channels;
    const auto sized = [](const auto& v, std::int64_t size) -> verdict {
      if (const verdict ok = validate_output(v, place::workspace); !ok) {
        return ok;
      }
      if (v.extent(0) != size || (size > 1 && v.strides[0] != 1)) {
        return rejection{.why = reason::size_mismatch, .at = place::workspace, .expected = size, .got = v.extent(0)};
      }
      return accepted{};
    };
    for (const verdict& v : {sized(workspace.codes, cut_codes::size_of(maps_)), sized(workspace.numbers, channels),
                             has_readers ? sized(workspace.lines, channel_lines::numbers_of(channels)) : accepted{}}) {
      if (!v) {
        return v;
      }
    }
    return codes_.fill(maps_, workspace.codes.data);
  }
  constexpr const chain& given() const { return chain_; }
  constexpr const chain_maps& maps() const { return maps_; }
  constexpr const cut_codes& codes() const { return codes_; }

  /// The steps from a cut to the end, as a site for the folds into a convolution.
  constexpr affine_site end_from(int a) const {
    const int cut = codes_.cut(a);
    code_set occurring;
    for (std::int64_t c = 0; c < codes_.channels(a, a); ++c) {
      for (int i = 0; i < codes_.count(); ++i)
        occurring.insert(codes_.row(a, c)[i]);
    }
    affine_site site{.table = identity_table, .table_zp = maps_.zero_point(cut), .reachable = occurring};
    site.chain = chain_.steps;
    site.chain.data = chain_.steps.data + cut * chain_.steps.strides[0];
    site.chain.extents[0] -= cut;
    site.chain_channels = chain_.channels;
    return site;
  }

 private:
  chain chain_;
  chain_maps maps_;
  cut_codes codes_;
};

/// Allowed difference of the chain's result in codes; 0 if it is observed.
constexpr std::int64_t tolerance_of(const chain_uses& uses, const cut_codes& codes) {
  return uses.observed.contains(codes.cut(codes.cuts() - 1)) || uses.tolerance < 0 ? 0 : uses.tolerance;
}

/// The index of `cut` among the int8 cuts, or -1.
constexpr int number_of(const cut_codes& codes, int cut) {
  for (int a = 0; a < codes.cuts(); ++a) {
    if (codes.cut(a) == cut) {
      return a;
    }
  }
  return -1;
}

/// Is a plan well-formed for a chain?
///
/// Stretches lie between int8 cuts and lead from the entrance to the end, each from the end of the one before. Branches
/// begin at a cut that the new chain or an earlier branch computes. A fold is the chain's last stretch and has readers.
/// Errors: contradiction: not so; shared: a fold and a reader that cannot be written; observable_code: an observed
///   result would be lost.
constexpr verdict validate(const chain_plan& p, const cut_codes& codes, const chain_uses& uses) {
  const auto broken = [](int i) { return rejection{.why = reason::contradiction, .at = place::index, .step = i}; };
  if (p.count < 0 || p.count > chain_plan::max_stretches) {
    return broken(p.count);
  }
  cut_set passed;
  passed.insert(0);
  int end = 0;
  int steps = 0;
  bool folded = false;
  for (int i = 0; i < p.count; ++i) {
    const plan_stretch& s = p.stretch(i);
    const bool folds = is_fold(s.how);
    const int needed = s.how == form::into_conv ? 0 : s.how == form::into_table_and_conv ? 1 : s.steps;
    const bool follows = s.beside ? passed.contains(s.from) && !folds : s.from == end && !folded;
    const bool has_readers = !folds || uses.readers.extent(0) > 0;
    if (number_of(codes, s.to) < 0 || s.from > s.to || !follows || !has_readers || s.steps < 0 ||
        s.steps > max_chain_steps || s.steps != needed || s.first != steps) {
      return broken(i);
    }
    end = s.beside ? end : s.to;
    folded = folded || folds;
    if (!folds) {
      passed.insert(s.to);
    }
    steps += s.steps;
  }
  if (end != codes.cut(codes.cuts() - 1) || steps != p.operators) {
    return broken(p.count);
  }
  for (std::int64_t r = 0; folded && r < uses.readers.extent(0); ++r) {
    if (!uses.readers.data[uses.readers.offset({r})].writable) {
      return rejection{.why = reason::shared, .at = place::weight, .convolution = r};
    }
  }
  for (int a = 0; a < codes.cuts(); ++a) {
    if (uses.observed.contains(codes.cut(a)) && !passed.contains(codes.cut(a))) {
      return rejection{.why = reason::observable_code, .step = codes.cut(a) - 1};
    }
  }
  return accepted{};
}

}  // namespace detail

}  // namespace v0
}  // namespace dytq

#endif
