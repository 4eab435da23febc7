// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of an answer: "out", or "reject" with what is known of it. Each is appended to the line being written.
#ifndef DYTQ_EXAMPLES_REPLAY_ANSWER_HPP
#define DYTQ_EXAMPLES_REPLAY_ANSWER_HPP

#include <charconv>
#include <concepts>
#include <dytq/result.hpp>
#include <string>
#include <string_view>

namespace replay {

inline void append_integer(std::string& out, std::int64_t v) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

inline void append_value(std::string& out, bool v) { out += v ? "true" : "false"; }
template <std::integral T>
void append_value(std::string& out, T v) {
  append_integer(out, v);
}
/// Any range of values, nested ranges included, as a list.
template <class List>
requires requires(const List& l) { l.begin(); }
void append_value(std::string& out, const List& list) {
  const char* separator = "";
  out += '[';
  for (const auto& v : list) {
    out += separator;
    separator = ",";
    append_value(out, v);
  }
  out += ']';
}

/// `"name":value`, after a comma unless it is the first member of its object.
template <class T>
void append_member(std::string& out, std::string_view name, const T& v) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
  append_value(out, v);
}

/// `"name":{...}`, the members as `body` appends them.
template <class F>
void append_object(std::string& out, std::string_view name, F body) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":{";
  body();
  out += '}';
}

template <class T>
void append_out(std::string& out, const T& v) {
  append_member(out, "out", v);
}

/// How the `reject` of an answer names a reason.
enum class naming {
  by_class,  ///< operators: the specification's words, "error" and "unpredictable", or "bad_scale"
  by_reason  ///< folds: the reason itself, but what the specification speaks of keeps its words
};

/// `"reject":...,"reason":...,"text":...` and the parts of the rejection that are set.
void append_rejection(std::string& out, const dytq::rejection& why, naming names = naming::by_class);

/// `"reject":"bad_input","text":...`: the line itself is wrong.
void append_bad_input(std::string& out, std::string_view what);

}  // namespace replay

#endif
