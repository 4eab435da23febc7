// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle against the golden vectors: every line of every file that the oracle has an opinion about.
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "json.hpp"
#include "oracle.hpp"
#include "support/catch.hpp"

#ifndef DYTQ_GOLDEN_DIR
#error "DYTQ_GOLDEN_DIR: the directory of the golden vectors"
#endif

namespace {

using namespace oracle;

// What a golden line is answered with: `out`, or a refusal. `skip`: the oracle cannot decide (a rounding boundary).
struct reply {
  json out;
  std::string reject;
  bool skip = false;
};
reply refused(const std::string& why) { return {nullptr, why, false}; }

template <class T, class F>
reply answer(const outcome<T>& o, F to_json_value) {
  if (!o)
    return refused(o.why);
  return {to_json_value(*o), "", false};
}

json pair_of(const multiplier_and_shift& m) { return json::array({m.multiplier, m.shift}); }
json constants_of(const folded& f) { return {{"weight", f.weight}, {"bias", f.bias}, {"input_zp", f.input_zp}}; }
json tables_of(const channel_tables_result& r) { return {{"index", r.index}, {"tables", r.tables}}; }
json retabled_json(const retabled_result& r) {
  json j = constants_of(r.constants);
  j["table"] = r.table;
  return j;
}

// round half to even of f / out_scale, from a long double; nothing when the boundary is too near to call.
std::optional<integer> rounded(long double quotient) {
  const long double floor = std::floor(quotient);
  const long double part = quotient - floor;
  if (std::fabs(part - 0.5L) < 1e-14L * (1 + std::fabs(quotient)))
    return std::nullopt;
  return static_cast<integer>(floor) + (part > 0.5L ? 1 : 0);
}

// The framework's tanh table (what a FOLD_ALPHA line without a table asks for), with libm.
struct tanh_table {
  integers entries = {};
  bool sure = true;
  std::string reject = {};
};
tanh_table tanh_of(const json& in) {
  tanh_table t;
  const json& fi = in.at("function_in");
  const json& fo = in.at("function_out");
  const double scale_in = double_of(fi.at("scale_bits")), scale_out = double_of(fo.at("scale_bits"));
  const bool narrow = in.value("numerics", "exact") == "float32";
  const auto positive = [](double d) { return std::isfinite(d) && d > 0; };
  const float in32 = static_cast<float>(scale_in), reciprocal = static_cast<float>(1.0 / scale_out);
  if (!positive(scale_in) || !positive(scale_out) ||
      (narrow && (!positive(double(in32)) || !positive(double(reciprocal))))) {
    t.reject = "bad_scale";
    return t;
  }
  for (integer q = -128; q <= 127; ++q) {
    const integer zp = fi.at("zp");
    std::optional<integer> code;
    if (narrow) {
      const float x = (static_cast<float>(q) - static_cast<float>(zp)) * in32;
      const float y = static_cast<float>(std::tanh(static_cast<long double>(x))) * reciprocal;
      code = static_cast<integer>(std::nearbyint(y));
    } else {
      code = rounded(std::tanh(static_cast<long double>(q - zp) * scale_in) / scale_out);
    }
    t.sure = t.sure && code;
    const integer moved = code.value_or(0) + fo.at("zp").get<integer>();
    t.entries.push_back(std::min<integer>(std::max<integer>(moved, fo.at("qmin")), fo.at("qmax")));
  }
  return t;
}

reply fold_alpha_reply(const json& in) {
  alpha_site a;
  bool sure = true;
  if (in.contains("table")) {
    a.table = ints(in.at("table"));
  } else {
    const tanh_table t = tanh_of(in);
    if (!t.reject.empty())
      return refused(t.reject);
    a.table = t.entries;
    sure = t.sure;
  }
  a.alpha = in.at("alpha");
  a.r_activation = stage_of(in.at("rescale").at("activation"));
  a.r_alpha = stage_of(in.at("rescale").at("alpha"));
  a.r_mul_out = stage_of(in.at("rescale").at("mul_out"));
  a.function_min = in.at("function_in").at("qmin");
  a.function_max = in.at("function_in").at("qmax");
  if (in.contains("domain"))
    a.domain = int_array<2>(in.at("domain"));
  reply r = answer(fold_alpha(a), [](const integers& v) { return json(v); });
  r.skip = r.reject.empty() && !sure;
  return r;
}

template <class T, class F>
json part(const outcome<T>& o, F value) {
  if (!o)
    return {{"reject", o.why}};
  return value(*o);
}

reply plan_reply(const json& in) {
  const site s = site_of(in);
  if (channel_count(s) < 1)
    return refused("channel_count");
  const auto maps = maps_of(s);
  if (!maps)
    return refused(maps.why);
  const fold_answer f = fold(s);
  json out;
  out["into_conv"] = f.value ? constants_of(*f.value) : json{{"reject", f.why}};
  out["identity"] = part(identity(s), [](bool b) { return json(b); });
  out["gamma_identity"] = part(gamma_identity(s), [](bool b) { return json(b); });
  out["uniform_table"] = part(uniform_table(s), [](const integers& t) { return json(t); });
  out["channel_tables"] = part(channel_tables(s), tables_of);
  out["gamma_rescale"] = part(gamma_rescale(s), [](const gamma_rescale_result& r) {
    return json{{"multiplier", r.multiplier},
                {"shift", r.shift},
                {"input_zp", r.input_zp},
                {"output_zp", r.output_zp},
                {"double", r.double_round}};
  });
  out["gamma_depthwise"] = part(gamma_depthwise(s), [](const gamma_depthwise_result& r) {
    return json{{"weight", r.weight}, {"weight_zp", r.weight_zp}, {"input_zp", r.input_zp}};
  });
  const auto again = retabled(s);
  out["retabled"] = part(again, retabled_json);
  if (f.value)
    CHECK(check_fold(s, *f.value).empty());
  if (again)
    CHECK(check_retabled(s, *again).empty());
  return {out, "", false};
}

reply reply_to(const json& in) {
  const std::string op = in.at("op");
  const auto as_list = [](const integers& v) { return json(v); };
  const auto as_number = [](integer v) { return json(v); };
  if (op == "MULTIPLIER")
    return answer(multiplier_shift(double_of(in.at("scale_bits")), in.at("width")), pair_of);
  if (op == "RESCALE") {
    const bool many = in.at("value").is_array();
    return answer(rescale(rescale_of(in), one_or_many(in.at("value"))),
                  [&](const integers& v) { return many ? json(v) : json(v[0]); });
  }
  if (op == "MUL")
    return answer(mul(in.value("in_t", "i32"), in.at("a"), in.at("b"), in.value("shift", 0)), as_number);
  if (op == "ADD")
    return answer(add(in.at("a"), in.at("b")), as_number);
  if (op == "TABLE") {
    const integers table = ints(in.at("table")), value = one_or_many(in.at("value"));
    return answer(in.at("in_t") == "i8" ? table_8(table, value) : table_16(table, value), as_list);
  }
  if (op == "CONV2D")
    return answer(convolve(conv_args_of(in)), as_list);
  if (op == "DEPTHWISE_CONV2D")
    return answer(depthwise(conv_args_of(in)), as_list);
  if (op == "TRANSPOSE_CONV2D")
    return answer(transposed(conv_args_of(in)), as_list);
  if (op == "FOLD_ALPHA")
    return fold_alpha_reply(in);
  if (op == "FOLD_AFFINE") {
    const site s = site_of(in);
    const fold_answer f = fold(s);
    if (!f.value)
      return refused(f.why);
    CHECK(check_fold(s, *f.value).empty());
    return {constants_of(*f.value), "", false};
  }
  if (op == "CHANNEL_TABLES")
    return answer(channel_tables(site_of(in)), tables_of);
  if (op == "FIT_RESCALE") {
    return answer(fit_rescale(rescale_of(in), ints(in.at("codes")), ints(in.at("values"))),
                  [](const multiplier_and_shift& m) {
                    return json{{"multiplier", m.multiplier}, {"shift", m.shift}};
                  });
  }
  if (op == "PLAN_AFFINE")
    return plan_reply(in);
  return {nullptr, "unknown op", true};
}

bool met(const json& expected, const json& got) {
  if (expected.is_object()) {
    if (expected.contains("reject")) {
      return got.is_null() || got == json(false) || (got.is_object() && got.contains("reject"));
    }
    if (!got.is_object() || got.contains("reject"))
      return false;
    for (const auto& [key, value] : expected.items()) {
      if (!got.contains(key) || !met(value, got.at(key)))
        return false;
    }
    return true;
  }
  return expected == got;
}

// Reasons of refusal that differ from the vector's word, for information.
std::map<std::string, int> other_reasons;
void compare_reasons(const std::string& where, const json& expected, const json& got) {
  if (expected.is_object() && expected.contains("reject")) {
    if (expected.at("reject") != got.value("reject", "")) {
      other_reasons[where + ": " + expected.at("reject").get<std::string>() + " -> " + got.value("reject", "")] += 1;
    }
  }
}

void run_file(const std::string& name) {
  std::ifstream file(std::string(DYTQ_GOLDEN_DIR) + "/" + name + ".jsonl");
  REQUIRE(file.good());
  std::string line;
  int number = 0, agreed = 0, skipped = 0;
  while (std::getline(file, line)) {
    number += 1;
    const json row = json::parse(line);
    const reply r = reply_to(row.at("in"));
    if (r.skip) {
      skipped += 1;
      continue;
    }
    bool ok = false;
    if (row.contains("reject")) {
      ok = !r.reject.empty();
      compare_reasons(name, row, {{"reject", r.reject}});
    } else {
      ok = r.reject.empty() && met(row.at("out"), r.out);
      if (ok && name == "plan_affine") {
        for (const auto& [key, value] : row.at("out").items())
          compare_reasons(name + "." + key, value, r.out.at(key));
      }
    }
    agreed += ok ? 1 : 0;
    if (!ok) {
      const json shown = r.reject.empty() ? r.out : json(r.reject);
      FAIL_CHECK(name << ".jsonl line " << number << ": the oracle says " << shown.dump().substr(0, 2000));
    }
  }
  WARN(name << ": " << agreed << " of " << number << " lines agree, " << skipped << " undecided here");
  CHECK(agreed + skipped == number);
  CHECK(skipped * 10 <= number);
  for (const auto& [what, count] : other_reasons)
    WARN("another reason (" << count << "): " << what);
  other_reasons.clear();
}

}  // namespace

TEST_CASE("oracle agrees with the golden scalar operators", "[oracle][golden]") {
  for (const char* name : {"multiplier", "rescale32_single", "rescale32_double", "rescale16_int48",
                           "rescale_per_channel", "mul_i32", "add_i32", "table_i8", "table_i16"}) {
    run_file(name);
  }
}

TEST_CASE("oracle agrees with the golden convolutions", "[oracle][golden]") {
  for (const char* name : {"conv2d_i8", "depthwise_i8", "transpose_conv2d"})
    run_file(name);
}

TEST_CASE("oracle agrees with the golden folds", "[oracle][golden]") {
  for (const char* name : {"fold_alpha", "fold_affine", "channel_tables", "fit_rescale", "plan_affine"})
    run_file(name);
}
