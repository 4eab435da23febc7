// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quantized network as data: what the generated header fills in. Nothing here knows any width or layer count.
#ifndef DYTQ_DEMO_NETWORK_HPP
#define DYTQ_DEMO_NETWORK_HPP

#include <array>
#include <cstdint>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/rescale.hpp>
#include <dytq/view.hpp>

namespace demo {

/// Height, width, channels.
using shape3 = std::array<std::int64_t, 3>;

constexpr std::int64_t size_of(const shape3& s) { return s[0] * s[1] * s[2]; }

/// A convolution and the RESCALE of its accumulators to codes.
struct conv_layer {
  const char* name;
  shape3 output_shape;
  dytq::convolution conv;
  dytq::rescale_operator to_codes;
  dytq::view<const std::int32_t> multiplier;
  dytq::view<const std::int32_t> shift;
};

/// A Dynamic Tanh layer: what is before its TABLE, and the TABLE with what is behind it.
struct dyt_layer {
  const char* name;
  shape3 shape;
  dytq::alpha_site alpha;
  dytq::affine_site affine;
};

enum class layer_kind : std::uint8_t { conv, dyt };

/// One of the two. (A constant expression can ask for the kind where a sanitizer forbids it to compare pointers.)
struct layer {
  layer_kind kind;
  const conv_layer* conv = nullptr;
  const dyt_layer* dyt = nullptr;
};

/// Images as codes: one text per image, two hex digits per code.
struct image_set {
  dytq::view<const char* const> codes;
  dytq::view<const std::int32_t> labels;
  dytq::view<const bool> is_test;

  constexpr std::int64_t count() const { return codes.extent(0); }
};

/// Sum and CRC-32 of one tensor's codes, for one image.
struct tensor_checksum {
  std::int64_t image;
  std::int64_t tensor;
  std::int64_t sum;
  std::uint32_t crc32;
};

/// Images whose label the network finds, of how many.
struct accuracy {
  std::int64_t correct = -1;
  std::int64_t total = -1;

  friend constexpr bool operator==(const accuracy&, const accuracy&) = default;
};

/// What another implementation made of the same network and images. Parts that it did not say are absent.
struct expectation {
  dytq::view<const char* const> logits;
  dytq::view<const std::int32_t> classes;
  accuracy train;
  accuracy test;
  bool has_crc32 = false;
  std::uint32_t crc32 = 0;  ///< of all logits
  dytq::view<const char* const> tensors = {};
  dytq::view<const tensor_checksum> checksums = {};
};

struct network {
  const char* name;
  shape3 input_shape;
  std::int64_t classes;
  dytq::view<const layer> layers;
  image_set images;
  expectation expected;
};

}  // namespace demo

#endif
