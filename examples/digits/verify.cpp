// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "explain.hpp"
#include "run_graph.hpp"

namespace demo {
namespace {

// CRC-32 as zlib has it, of int8 codes.
class crc32 {
 public:
  void add(std::int8_t code) { state_ = table()[(state_ ^ static_cast<std::uint8_t>(code)) & 255u] ^ state_ >> 8; }
  std::uint32_t value() const { return ~state_; }

 private:
  static const std::array<std::uint32_t, 256>& table() {
    static const std::array<std::uint32_t, 256> entries = [] {
      std::array<std::uint32_t, 256> t{};
      for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t r = i;
        for (int bit = 0; bit < 8; ++bit) {
          r = (r & 1u) != 0 ? r >> 1 ^ 0xedb88320u : r >> 1;
        }
        t[i] = r;
      }
      return t;
    }();
    return entries;
  }
  std::uint32_t state_ = ~std::uint32_t{0};
};

// One code of a text of hex digits.
std::int8_t code_at(const char* digits, std::int64_t i) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  return static_cast<std::int8_t>(value(digits[2 * i]) * 16 + value(digits[2 * i + 1]));
}

std::string in_image(std::int64_t image, const std::string& text) {
  return "image " + std::to_string(image) + ": " + text;
}
std::string expected_got(std::int64_t expected, std::int64_t got) {
  return "expected " + std::to_string(expected) + ", got " + std::to_string(got);
}

void compare_tensor(const network& net, const std::string& name, std::int64_t first, std::int64_t images,
                    const std::vector<std::int32_t>& values, std::vector<bool>& seen, verification& v) {
  const std::size_t size = values.size() / static_cast<std::size_t>(images);
  for (std::int64_t i = 0; i < net.expected.checksums.extent(0); ++i) {
    const tensor_checksum& want = net.expected.checksums(i);
    if (want.image < first || want.image >= first + images || name != net.expected.tensors(want.tensor)) {
      continue;
    }
    const std::int32_t* begin = values.data() + static_cast<std::size_t>(want.image - first) * size;
    std::int64_t sum = 0;
    crc32 crc;
    for (const std::int32_t* p = begin; p != begin + size; ++p) {
      sum += *p;
      crc.add(static_cast<std::int8_t>(*p));
    }
    seen[static_cast<std::size_t>(i)] = true;
    ++v.tensors;
    if (sum == want.sum && crc.value() == want.crc32) {
      ++v.tensors_identical;
    } else {
      v.differs(in_image(want.image, "tensor " + name + ": sum of codes: " + expected_got(want.sum, sum) +
                                         (sum == want.sum ? ", but another CRC-32" : "")));
    }
  }
}

void compare_logits(const network& net, const codes& logits, crc32& crc, verification& v) {
  for (std::int64_t n = 0; n < logits.images; ++n) {
    const std::int64_t image = logits.first_image + n;
    const std::int8_t* got = logits.data.data() + n * net.classes;
    for (std::int64_t k = 0; k < net.classes; ++k) {
      const std::int8_t want = code_at(net.expected.logits(image), k);
      crc.add(got[k]);
      ++v.logits;
      if (got[k] == want) {
        ++v.identical;
      } else {
        v.differs(in_image(image, "logit " + std::to_string(k) + ": " + expected_got(want, got[k])));
      }
    }
    const std::int64_t predicted = std::max_element(got, got + net.classes) - got;  // the lowest of equal ones
    if (predicted != net.expected.classes(image)) {
      v.differs(in_image(image, "class: " + expected_got(net.expected.classes(image), predicted)));
    }
    accuracy& a = net.images.is_test(image) ? v.test : v.train;
    ++a.total;
    a.correct += predicted == net.images.labels(image) ? 1 : 0;
  }
}

}  // namespace

codes load(const network& net, std::int64_t first) {
  codes x{first, std::min(batch_size, net.images.count() - first), net.input_shape, {}};
  for (std::int64_t n = 0; n < x.images; ++n) {
    for (std::int64_t i = 0; i < size_of(net.input_shape); ++i) {
      x.data.push_back(code_at(net.images.codes(first + n), i));
    }
  }
  return x;
}

verification verify(const network& net, const graph& g, bool with_tensors) {
  verification v;
  crc32 crc;
  std::vector<bool> seen(static_cast<std::size_t>(net.expected.checksums.extent(0)));
  const auto compare = [&](const std::string& name, std::int64_t first, std::int64_t images,
                           const std::vector<std::int32_t>& values) {
    if (with_tensors) {
      compare_tensor(net, name, first, images, values, seen, v);
    }
  };
  for (std::int64_t first = 0; first < net.images.count(); first += batch_size) {
    codes x = load(net, first);
    failure at;
    if (!run(g, x, compare, at)) {
      v.differs(in_image(at.image, at.where + ": " + explain(at.why)));
      return v;
    }
    compare_logits(net, x, crc, v);
  }
  for (std::size_t i = 0; i < seen.size() && with_tensors; ++i) {
    if (!seen[i]) {
      const tensor_checksum& want = net.expected.checksums(i);
      v.differs(in_image(want.image, "the graph has no tensor " + std::string(net.expected.tensors(want.tensor))));
    }
  }
  if (net.expected.has_crc32 && crc.value() != net.expected.crc32) {
    v.differs("all images: the CRC-32 of the logits is another");
  }
  for (const auto& [split, got, want] :
       {std::tuple{"training", v.train, net.expected.train}, std::tuple{"test", v.test, net.expected.test}}) {
    if (want.total >= 0 && got != want) {
      v.differs(std::string(split) + " images right: " + expected_got(want.correct, got.correct) + ", of " +
                std::to_string(got.total));
    }
  }
  return v;
}

}  // namespace demo
