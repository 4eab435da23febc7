// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a graph that fold operations read: steps, sites, convolutions, with the memory behind their views.
#ifndef DYTQ_EXAMPLES_REPLAY_GRAPH_HPP
#define DYTQ_EXAMPLES_REPLAY_GRAPH_HPP

#include <cstdint>
#include <dytq/conv.hpp>
#include <dytq/site.hpp>
#include <optional>
#include <vector>

#include "json_in.hpp"

namespace replay {

/// A `rescale` object.
dytq::rescale read_step(const value& step);

/// The members of a convolution's new constants.
void append_constants(std::string& out, const std::vector<std::int8_t>& weight, const std::vector<std::int32_t>& bias,
                      std::int64_t input_zp);

/// [lo, hi].
dytq::code_range read_range(const value& range);

/// table, gamma, beta, rescale of a line, or table, maps, output_zp; table_zp too if the line has a convolution.
class graph_site {
 public:
  explicit graph_site(const value& in);
  graph_site(const graph_site&) = delete;  // the site's views are of this object
  graph_site& operator=(const graph_site&) = delete;

  /// A list that is there has an entry at least: an empty one would be an absent view.
  dytq::verdict validate() const;
  const dytq::affine_site& site() const { return site_; }
  const std::vector<std::int8_t>& table() const { return table_; }

 private:
  std::vector<std::int8_t> table_;
  std::optional<std::vector<std::int8_t>> gamma_;
  std::optional<std::vector<std::int8_t>> beta_;
  std::vector<std::int8_t> maps_;
  dytq::chain_step mapped_;
  dytq::affine_site site_;
};

/// `conv` of a line, of any kind that the format knows.
class graph_conv {
 public:
  explicit graph_conv(const value& conv);

  /// The lists fit the shape, and the geometry is not beyond what this program walks through for one line.
  dytq::verdict validate() const;
  const dytq::convolution& conv() const { return conv_; }
  std::size_t weights() const { return weight_.size(); }
  std::size_t output_channels() const { return static_cast<std::size_t>(extents_[0]); }
  /// Number of input channels; 0 if the groups cannot divide the output channels.
  std::size_t input_channels() const;
  /// What the shape and the groups say of it, sensible or not; 0 for groups < 1.
  std::int64_t claimed_channels() const;
  /// A view of other weights in the same layout.
  dytq::weight_view<std::int8_t> weight_view(std::vector<std::int8_t>& weight) const;

 private:
  void read_axes(const value& conv, std::string_view padding);

  std::array<std::int64_t, 4> extents_{};  // O, H, W, I
  std::vector<std::int8_t> weight_;
  std::vector<std::int8_t> weight_zp_;
  std::optional<std::vector<std::int32_t>> bias_;
  bool has_geometry_ = false;
  dytq::convolution conv_;
};

}  // namespace replay

#endif
