// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json_in.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

namespace replay {

void append_string(std::string& out, std::string_view text) {
  out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

std::string quoted(std::string_view text) { return std::string("'").append(shortened(text)).append("'"); }

// The parser's events, as nodes. It keeps no stack of its own calls, so the depth of the text is only limited here.
class document::builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;

  explicit builder(document& d) : document_(d) {}

  bool null() { return add({.type = kind::null}); }
  bool boolean(bool v) { return add({.number = v ? 1 : 0, .type = kind::boolean}); }
  bool number_integer(number_integer_t v) { return add({.number = v, .type = kind::integer}); }
  bool number_unsigned(number_unsigned_t v) {
    if (v <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      return number_integer(static_cast<number_integer_t>(v));
    }
    return add_text(kind::wide_integer, std::to_string(v));
  }
  bool number_float(double, const std::string& digits) {
    return add_text(digits.find_first_of(".eE") == std::string::npos ? kind::wide_integer : kind::real, digits);
  }
  bool string(std::string& v) { return add_text(kind::string, v); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool key(std::string& v) {
    key_at_ = static_cast<std::uint32_t>(document_.text_.size());
    key_size_ = static_cast<std::uint32_t>(v.size());
    document_.text_ += v;
    return true;
  }
  bool start_object(std::size_t) { return open(kind::object); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(kind::array); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: what"; the lines are ours to count.
    std::string_view what = e.what();
    what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    if (what.starts_with("parse error at ")) {
      what.remove_prefix(std::min(what.size(), what.find(": ") + 2));
    }
    if (what.size() > 200) {
      what = what.substr(0, 200);
    }
    problem_ = "not JSON, column " + std::to_string(position) + ": " + std::string(what);
    return false;
  }

  const std::string& problem() const { return problem_; }

 private:
  bool add(node n) {
    if (depth_ > 0) {
      ++document_.nodes_[open_[depth_ - 1]].number;
    }
    n.key_at = key_at_;
    n.key_size = key_size_;
    n.end = static_cast<std::uint32_t>(document_.nodes_.size()) + 1;
    key_size_ = 0;
    document_.nodes_.push_back(n);
    return true;
  }
  bool add_text(kind type, std::string_view text) {
    const auto at = static_cast<std::uint32_t>(document_.text_.size());
    document_.text_ += text;
    return add({.text_at = at, .text_size = static_cast<std::uint32_t>(text.size()), .type = type});
  }
  bool open(kind type) {
    if (depth_ == depth_limit) {
      problem_ = "nested deeper than " + std::to_string(depth_limit);
      return false;
    }
    add({.type = type});
    document_.nodes_.back().end = 0;
    open_[depth_++] = static_cast<std::uint32_t>(document_.nodes_.size()) - 1;
    return true;
  }
  bool close() {
    document_.nodes_[open_[--depth_]].end = static_cast<std::uint32_t>(document_.nodes_.size());
    return true;
  }

  document& document_;
  std::array<std::uint32_t, depth_limit> open_{};
  std::size_t depth_ = 0;
  std::uint32_t key_at_ = 0;
  std::uint32_t key_size_ = 0;
  std::string problem_;
};

void document::parse(std::string_view line) {
  nodes_.clear();
  text_.clear();
  if (const auto nul = line.find('\0'); nul != std::string_view::npos) {  // the parser takes it for the end
    throw bad_input("not JSON, column " + std::to_string(nul + 1) + ": a NUL byte");
  }
  builder events(*this);
  if (!nlohmann::json::sax_parse(line.data(), line.data() + line.size(), &events)) {
    throw bad_input(events.problem());
  }
}

value document::root() const { return {this, 0}; }

std::optional<value> document::salvaged(std::string_view key) const {
  if (nodes_.empty() || nodes_[0].type != kind::object) {
    return std::nullopt;
  }
  std::optional<value> found;
  for (std::uint32_t i = 1; i < nodes_.size() && nodes_[i].end != 0; i = nodes_[i].end) {
    if (const value v(this, i); v.key() == key) {
      found = v;
    }
  }
  return found;
}

std::optional<value> value::find(std::string_view key) const {
  if (!is_object()) {
    fail("expected an object, got " + described());
  }
  std::optional<value> found;
  for_each([&](const value& v) {
    if (v.key() == key) {
      found = v;
    }
  });
  return found;
}

value value::operator[](std::string_view key) const {
  const std::optional<value> member = find(key);
  if (!member) {
    fail("key '" + std::string(key) + "' is missing");
  }
  return *member;
}

std::int64_t value::integer(const dytq::code_range& range) const {
  if (node().type == document::kind::wide_integer) {
    fail(shortened(text()) + " does not fit 64 bits");
  }
  if (node().type != document::kind::integer) {
    fail("expected an integer, got " + described());
  }
  if (!range.contains(node().number)) {
    fail(std::to_string(node().number) + " is outside [" + std::to_string(range.lo) + ", " + std::to_string(range.hi) +
         "]");
  }
  return node().number;
}

bool value::boolean() const {
  if (node().type != document::kind::boolean) {
    fail("expected true or false, got " + described());
  }
  return node().number != 0;
}

std::string_view value::string() const {
  if (!is_string()) {
    fail("expected a string, got " + described());
  }
  return text();
}

double value::from_bits() const {
  const std::string_view digits = string();
  std::uint64_t bits = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.size() != 18 || digits[0] != '0' || (digits[1] != 'x' && digits[1] != 'X') ||
      std::from_chars(digits.data() + 2, end, bits, 16).ptr != end) {
    fail("expected the 64 bits of a double as \"0x\" and 16 hexadecimal digits, got " + described());
  }
  return std::bit_cast<double>(bits);
}

std::size_t value::size() const {
  if (!is_array()) {
    fail("expected a list, got " + described());
  }
  return static_cast<std::size_t>(node().number);
}

void value::fail(const std::string& what) const {
  const std::string where = path();
  throw bad_input(where.empty() ? what : where + ": " + what);
}

// From the line's value down to this one; the leading "in" goes without saying.
std::string value::path() const {
  std::string path;
  for (value at = document_->root(); at.index_ != index_;) {
    value next = at;
    std::size_t count = 0;
    for (std::uint32_t i = at.index_ + 1; i <= index_; i = document_->nodes_[i].end) {
      next = value(document_, i);
      ++count;
    }
    if (at.is_array()) {
      path.append("[").append(std::to_string(count - 1)).append("]");
    } else if (at.index_ != 0 || next.key() != "in") {
      path.append(path.empty() ? "" : ".").append(shortened(next.key()));
    }
    at = next;
  }
  return path;
}

std::string value::described() const {
  switch (node().type) {
    case document::kind::null: return "null";
    case document::kind::boolean: return node().number != 0 ? "true" : "false";
    case document::kind::integer: return std::to_string(node().number);
    case document::kind::wide_integer:
    case document::kind::real: return shortened(text());
    case document::kind::string: return std::string("the string ").append(quoted(text()));
    case document::kind::array: return "a list";
    case document::kind::object: return "an object";
  }
  return "nothing";
}

void value::write(std::string& out) const {
  switch (node().type) {
    case document::kind::null:
    case document::kind::boolean:
    case document::kind::integer: out += described(); return;
    case document::kind::wide_integer:
    case document::kind::real: out += text(); return;
    case document::kind::string: append_string(out, text()); return;
    case document::kind::array:
    case document::kind::object: break;
  }
  const char* separator = "";
  out += is_array() ? '[' : '{';
  for_each([&](const value& v) {
    out += separator;
    separator = ",";
    if (is_object()) {
      append_string(out, v.key());
      out += ':';
    }
    v.write(out);
  });
  out += is_array() ? ']' : '}';
}

bool value::operator==(const value& other) const {
  const document::node& x = node();
  const document::node& y = other.node();
  if (x.type != y.type || x.number != y.number || text() != other.text()) {
    return false;
  }
  bool same = true;
  if (is_object()) {
    for_each([&](const value& member) {
      const std::optional<value> twin = same ? other.find(member.key()) : std::nullopt;
      same = twin && member == *twin;
    });
  } else if (is_array()) {
    std::uint32_t twin = other.index_ + 1;
    for_each([&](const value& element) {
      same = same && element == value(other.document_, twin);
      twin = other.document_->nodes_[twin].end;
    });
  }
  return same;
}

}  // namespace replay
