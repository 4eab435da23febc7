// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fuzz targets share: the entry that libFuzzer calls, a reader of its bytes, and an end for what must not be.
#ifndef DYTQ_TESTS_FUZZ_FUZZ_HPP
#define DYTQ_TESTS_FUZZ_FUZZ_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// Numbers out of bytes, little-endian; zeros behind the end.
class bytes {
 public:
  bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  std::uint64_t bits(int count) {
    std::uint64_t v = 0;
    for (int i = 0; i < count && left_ > 0; ++i, ++data_, --left_) {
      v |= std::uint64_t{*data_} << (8 * i);
    }
    return v;
  }
  std::int8_t i8() { return static_cast<std::int8_t>(bits(1)); }
  std::int32_t i32() { return static_cast<std::int32_t>(bits(4)); }
  std::int64_t i64() { return static_cast<std::int64_t>(bits(8)); }
  /// In [lo, hi], from one byte.
  std::int64_t range(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(bits(1) % static_cast<std::uint64_t>(hi - lo + 1));
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// What the library claims must be true: an abort is what fuzzers and tests both see.
inline void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "fuzz: not true: %s\n", what);
    std::abort();
  }
}

}  // namespace fuzz

#endif
