// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "answer.hpp"

#include "json_in.hpp"

namespace replay {
namespace {

void append_text(std::string& out, std::string_view name, std::string_view text) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":\"";
  out += text;  // of the library's own, so there is nothing to escape
  out += '"';
}

// A fold speaks of the graph's lists, where TOSA would speak of the operators' operands.
std::string_view name_in_fold(const dytq::rejection& why) {
  switch (why.why) {
    case dytq::reason::accumulator_overflow: return "accumulator_overflow";
    case dytq::reason::bias_count: return "channel_count";
    default: break;
  }
  const dytq::reason_info info = dytq::describe(why.why);
  switch (info.kind) {
    case dytq::reason_class::unpredictable:
    case dytq::reason_class::error:
    case dytq::reason_class::bad_scale: return dytq::name(info.kind);
    default: return info.name;
  }
}

// Operators have no folds: what is no_fold of a fold (channels that disagree) is an error of theirs.
std::string_view name_in_operator(const dytq::rejection& why) {
  const dytq::reason_class kind = dytq::describe(why.why).kind;
  return dytq::name(kind == dytq::reason_class::no_fold ? dytq::reason_class::error : kind);
}

}  // namespace

void append_rejection(std::string& out, const dytq::rejection& why, naming names) {
  const dytq::reason_info info = dytq::describe(why.why);
  append_text(out, "reject", names == naming::by_class ? name_in_operator(why) : name_in_fold(why));
  append_text(out, "reason", info.name);
  append_text(out, "text", info.text);
  if (why.at != dytq::place::none) {
    append_text(out, "step", dytq::name(why.at));
  }
  const struct {
    std::string_view name;
    std::int64_t part;
  } parts[] = {{"channel", why.channel}, {"output_channel", why.output_channel},
               {"tap", why.tap},         {"axis", why.axis},
               {"code", why.code},       {"expected", why.expected},
               {"got", why.got},         {"least", why.least}};
  for (const auto& p : parts) {
    if (p.part != dytq::unset) {
      append_member(out, p.name, p.part);
    }
  }
}

void append_bad_input(std::string& out, std::string_view what) {
  append_text(out, "reject", "bad_input");
  out += ",\"text\":";
  append_string(out, what);
}

}  // namespace replay
