// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typed reading of one line of JSON. Everything that can be wrong with it is a `bad_input`, in words for its author.
#ifndef DYTQ_EXAMPLES_REPLAY_JSON_IN_HPP
#define DYTQ_EXAMPLES_REPLAY_JSON_IN_HPP

#include <cstdint>
#include <dytq/codes.hpp>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace replay {

/// What is wrong with a line.
struct bad_input : std::runtime_error {
  explicit bad_input(const std::string& what_is_wrong) : std::runtime_error(what_is_wrong), text(what_is_wrong) {}

  std::string text;  ///< as `what()`, but it may contain any character
};

/// `text` as a JSON string, quotes included; what is not UTF-8 becomes U+FFFD.
void append_string(std::string& out, std::string_view text);

/// The beginning of a text that may be long, for a message.
std::string shortened(std::string_view text);
/// The same, in single quotes.
std::string quoted(std::string_view text);

class value;

/// One parsed line. Its memory is kept for the next one.
class document {
 public:
  static constexpr std::size_t depth_limit = 100;

  /// Throws bad_input: no JSON, or nested deeper than `depth_limit`. What has been read until then stays readable
  /// through `salvaged`.
  void parse(std::string_view line);
  /// The value of the line that was parsed.
  value root() const;
  /// A member of the top-level object that had been read completely when parsing stopped.
  std::optional<value> salvaged(std::string_view key) const;

 private:
  friend class value;
  class builder;

  enum class kind : std::uint8_t { null, boolean, integer, wide_integer, real, string, array, object };

  // The values in the order of the text. A string, and a number that is no int64, is a piece of `text_`.
  struct node {
    std::int64_t number = 0;   // of an integer or boolean; elements of an array or object
    std::uint32_t end = 0;     // the node behind this one and all it contains; 0: not yet complete
    std::uint32_t key_at = 0;  // the key, if it is a member of an object
    std::uint32_t key_size = 0;
    std::uint32_t text_at = 0;
    std::uint32_t text_size = 0;
    kind type = kind::null;
  };

  std::string_view text_view(std::uint32_t at, std::uint32_t size) const {
    return std::string_view(text_).substr(at, size);
  }

  std::vector<node> nodes_;
  std::string text_;
};

/// A value of a document, which must outlive it and not be parsed into again.
class value {
 public:
  bool is_null() const { return node().type == document::kind::null; }
  bool is_array() const { return node().type == document::kind::array; }
  bool is_object() const { return node().type == document::kind::object; }
  bool is_string() const { return node().type == document::kind::string; }
  bool is_false() const { return node().type == document::kind::boolean && node().number == 0; }

  /// The member of an object, the last one if it is given twice.
  std::optional<value> find(std::string_view key) const;
  /// The member, which must be there.
  value operator[](std::string_view key) const;

  std::int64_t integer(const dytq::code_range& range = {std::numeric_limits<std::int64_t>::min(),
                                                        std::numeric_limits<std::int64_t>::max()}) const;
  template <std::signed_integral T>
  T as() const {
    return static_cast<T>(integer({std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}));
  }
  bool boolean() const;
  std::string_view string() const;
  /// A double that is written as its 64 bits in hex.
  double from_bits() const;

  /// Number of elements of an array.
  std::size_t size() const;
  template <std::signed_integral T>
  std::vector<T> list() const {
    std::vector<T> elements;
    elements.reserve(size());
    for_each([&](const value& v) { elements.push_back(v.as<T>()); });
    return elements;
  }
  /// An array of exactly `count` integers.
  template <std::signed_integral T>
  std::vector<T> list(std::size_t count) const {
    if (size() != count) {
      fail("expected " + std::to_string(count) + " entries, got " + std::to_string(size()));
    }
    return list<T>();
  }
  /// f(element) for each element of an array or member of an object.
  template <class F>
  void for_each(F f) const {
    for (std::uint32_t i = index_ + 1; i < node().end; i = document_->nodes_[i].end) {
      f(value(document_, i));
    }
  }
  std::string_view key() const { return document_->text_view(node().key_at, node().key_size); }

  /// Throws bad_input: where the value is in the line, and what is wrong.
  [[noreturn]] void fail(const std::string& what) const;

  /// The value as JSON.
  void write(std::string& out) const;

  /// Are they the same JSON, in any order of members?
  bool operator==(const value& other) const;

 private:
  friend class document;

  value(const document* d, std::uint32_t index) : document_(d), index_(index) {}
  const document::node& node() const { return document_->nodes_[index_]; }
  std::string_view text() const { return document_->text_view(node().text_at, node().text_size); }
  std::string path() const;
  std::string described() const;

  const document* document_;
  std::uint32_t index_;
};

}  // namespace replay

#endif
