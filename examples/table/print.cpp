// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <dytq/version.hpp>

#include "number.hpp"

namespace table_tool {

namespace {

std::string type_of(const request& table) { return table.bits == 16 ? "int16" : table.is_unsigned ? "uint8" : "int8"; }

std::string bounds_of(const dytq::qparams& q) {
  std::string text;
  if (q.qmin != dytq::unset_qmin) {
    text += ", from " + std::to_string(q.qmin);
  }
  if (q.qmax != dytq::unset_qmax) {
    text += ", to " + std::to_string(q.qmax);
  }
  return text;
}

std::string quantization(const dytq::qparams& q, const std::string& given) {
  const std::string exact = hexadecimal(q.scale);
  return "scale " + given + (exact == given ? "" : " (" + exact + ")") + ", zero point " +
         std::to_string(q.zero_point) + bounds_of(q);
}

std::string function_of(const request& table) {
  std::string x = "x";
  if (table.how.alpha != 1.0) {
    x = hexadecimal(table.how.alpha) + " x";
  }
  if (table.how.shift != 0.0) {
    x += " + " + hexadecimal(table.how.shift);
  }
  return table.function + "(" + x + ")" + (table.parameter ? ", parameter " + hexadecimal(*table.parameter) : "");
}

std::string places(const options& asked) {
  const request& table = asked.table;
  if (table.bits == 16) {
    return table.of_int16 == layout::tflite ? "entry i is for the code 65535 i / 512 - 32768, for TFLite's lookup"
                                            : "entry i is for the code " + std::to_string(table.step) + " i - 32768";
  }
  return asked.of_entries == order::byte && !table.is_unsigned
             ? "entry i is for the code whose byte is i: 0 ... 127, -128 ... -1"
         : table.is_unsigned ? "entry i is for the code i"
                             : "entry i is for the code i - 128";
}

std::string rounding_of(const request& table) {
  const bool exact = table.how.arithmetic == dytq::numerics::exact;
  if (table.of_int16 == layout::tflite) {
    return exact ? "Entries are LUTPopulate's on real numbers, each rounding proven"
                 : "Entries are LUTPopulate's in float32";
  }
  return exact ? "Every entry is proven to be the real function's" : "Entries are those of a float32 graph";
}

std::vector<int> in_order(const options& asked, const made_table& made) {
  std::vector<int> entries = made.entries;
  if (asked.of_entries == order::byte && !asked.table.is_unsigned) {
    std::rotate(entries.begin(), entries.begin() + 128, entries.end());
  }
  return entries;
}

std::string numbers(const std::vector<int>& entries, const std::string& indent) {
  std::string text, line = indent;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string word = std::to_string(entries[i]) + (i + 1 < entries.size() ? "," : "");
    if (line.size() + word.size() + 1 > 100) {
      text += line + "\n";
      line = indent;
    }
    line += (line.size() == indent.size() ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string bytes(const request& table, const std::vector<int>& entries) {
  std::string text;
  for (const int entry : entries) {
    const auto bits = static_cast<std::uint32_t>(entry);
    text += static_cast<char>(bits & 0xff);
    if (table.bits == 16) {
      text += static_cast<char>(bits >> 8 & 0xff);
    }
  }
  return text;
}

std::string as_c(const options& asked, const made_table& made) {
  std::string text = "/*\n";
  for (const std::string& line : comment(asked, made)) {
    text += " * " + line + "\n";
  }
  const std::vector<int> entries = in_order(asked, made);
  text += " */\n#include <stdint.h>\n\n";
  return text + "const " + type_of(asked.table) + "_t " + asked.name + "[" + std::to_string(entries.size()) +
         "] = {\n" + numbers(entries, "    ") + "};\n";
}

std::string as_python(const options& asked, const made_table& made) {
  std::string text;
  for (const std::string& line : comment(asked, made)) {
    text += "# " + line + "\n";
  }
  return text + asked.name + " = [\n" + numbers(in_order(asked, made), "    ") + "]\n";
}

std::string as_json(const options& asked, const made_table& made) {
  const request& table = asked.table;
  const auto pair = [](const char* key, const std::string& value, bool is_text) {
    return "  \"" + std::string(key) + "\": " + (is_text ? "\"" + value + "\"" : value) + ",\n";
  };
  const auto side = [&](const char* key, const dytq::qparams& q) {
    std::string text = "{\"scale\": \"" + hexadecimal(q.scale) + "\", \"zero_point\": " + std::to_string(q.zero_point);
    text += q.qmin == dytq::unset_qmin ? "" : ", \"min\": " + std::to_string(q.qmin);
    text += q.qmax == dytq::unset_qmax ? "" : ", \"max\": " + std::to_string(q.qmax);
    return pair(key, text + "}", false);
  };
  std::string about;
  for (const std::string& line : comment(asked, made)) {
    about += (about.empty() ? "" : "\\n") + line;
  }
  std::string text = "{\n" + pair("name", asked.name, true) + pair("about", about, true) +
                     pair("command", asked.command, true) + pair("function", table.function, true);
  if (table.parameter) {
    text += pair("parameter", hexadecimal(*table.parameter), true);
  }
  text += pair("alpha", hexadecimal(table.how.alpha), true) + pair("shift", hexadecimal(table.how.shift), true);
  text += pair("type", type_of(table), true) + side("in", table.in) + side("out", table.out);
  text += pair("numerics", table.how.arithmetic == dytq::numerics::exact ? "exact" : "float32", true);
  text += pair("ties", table.how.ties == dytq::tie_rule::to_even ? "even" : "away", true);
  if (table.bits == 16) {
    text += pair("layout", table.of_int16 == layout::tosa ? "tosa" : "tflite", true);
    if (table.of_int16 == layout::tosa) {
      text += pair("step", std::to_string(table.step), false) + pair("result_shift", std::to_string(made.shift), false);
    }
  } else {
    text += pair("order", asked.of_entries == order::code ? "code" : "byte", true);
  }
  text +=
      pair("largest_error", error_text(made.error.hi), false) + pair("at_code", std::to_string(made.error.code), false);
  return text + "  \"entries\": [\n" + numbers(in_order(asked, made), "    ") + "  ]\n}\n";
}

}  // namespace

std::string error_text(std::int64_t error) {
  constexpr std::uint64_t digits = 1000000;
  const auto e = static_cast<std::uint64_t>(error);
  const std::uint64_t whole = e >> 32, rest = ((e & 0xffffffffu) * digits + 0xffffffffu) >> 32;
  const std::uint64_t all = whole * digits + rest;
  std::string fraction = std::to_string(all % digits);
  fraction.insert(0, 6 - fraction.size(), '0');
  return std::to_string(all / digits) + "." + fraction;
}

std::vector<std::string> comment(const options& asked, const made_table& made) {
  const request& table = asked.table;
  std::vector<std::string> lines{
      function_of(table) + " as " +
          (table.bits == 16    ? "an int16"
           : table.is_unsigned ? "a uint8"
                               : "an int8") +
          " table; " + places(asked) + ".",
      "in: " + quantization(table.in, asked.in_scale_text) + "; out: " + quantization(table.out, asked.out_scale_text) +
          ".",
      rounding_of(table) + ", halves " + (table.how.ties == dytq::tie_rule::to_even ? "to even." : "away from zero.")};
  if (table.bits == 16 && table.of_int16 == layout::tosa) {
    lines.push_back("code = the interpolated result, " + std::to_string(table.step) + " times an entry, / 2^" +
                    std::to_string(made.shift) + ".");
  }
  lines.push_back(std::string("Largest error") + (table.bits == 16 ? ", interpolation included" : "") + ": at most " +
                  error_text(made.error.hi) + " output codes, at the code " + std::to_string(made.error.code) + ".");
  lines.push_back("By dytq " + std::to_string(DYTQ_VERSION_MAJOR) + "." + std::to_string(DYTQ_VERSION_MINOR) + "." +
                  std::to_string(DYTQ_VERSION_PATCH) + ": " + asked.command);
  return lines;
}

std::string print(const options& asked, const made_table& made) {
  switch (asked.as) {
    case format::c: return as_c(asked, made);
    case format::json: return as_json(asked, made);
    case format::python: return as_python(asked, made);
    case format::bin: return bytes(asked.table, in_order(asked, made));
  }
  return {};
}

}  // namespace table_tool
