// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>

#include "number.hpp"

namespace table_tool {

const char* const usage =
    "usage: dytq_table --function NAME --in-scale S --out-scale S [option...]\n"
    "\n"
    "  --function NAME        one of those that --list prints\n"
    "  --parameter X          of elu (alpha) and leaky_relu (slope)\n"
    "  --in-scale S           0.05, 1/20 or 0x1.999999999999ap-5; the double nearest to it is the scale\n"
    "  --in-zero-point N      default 0\n"
    "  --in-min N, --in-max N   codes outside read as the nearest inside\n"
    "  --out-scale S, --out-zero-point N, --out-min N, --out-max N\n"
    "  --alpha X, --shift X   the function is taken of alpha * x + shift\n"
    "  --bits 8|16            default 8\n"
    "  --unsigned             a uint8 tensor\n"
    "  --layout tosa|tflite   of 16 bits; default tosa, whose interpolation is TABLE's\n"
    "  --step 128|64|32       codes from entry to entry, 16 bits; default 128\n"
    "  --numerics exact|float32, --ties even|away   default exact, even\n"
    "  --format c|json|python|bin   default c; bin: bytes, int16 the lower one first\n"
    "  --order code|byte      8 bits: entries by code, or by the code's byte (0 ... 127, -128 ... -1); default code\n"
    "  --name IDENTIFIER      of the array; default dytq_NAME\n"
    "  --svg FILE             a picture of the table and its error\n"
    "  --list, --help\n"
    "\n"
    "exit status: 0; 1: the table is refused, with the reason; 2: the command line is wrong, or a file cannot be "
    "written\n";

namespace {

/// What is wrong.
struct wrong {
  std::string text;
};

class reader {
 public:
  reader(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
      std::string_view word = argv[i];
      if (!word.starts_with("--")) {
        throw wrong{"what is '" + std::string(word) + "'?"};
      }
      const auto equals = word.find('=');
      const std::string key(word.substr(2, equals == word.npos ? word.npos : equals - 2));
      std::string value;
      if (key == "unsigned" || key == "list" || key == "help") {
        if (equals != word.npos) {
          throw wrong{"--" + key + " takes no value"};
        }
      } else if (equals != word.npos) {
        value = word.substr(equals + 1);
      } else if (++i < argc) {
        value = argv[i];
      } else {
        throw wrong{"--" + key + " needs a value"};
      }
      if (!given_.emplace(key, value).second) {
        throw wrong{"--" + key + " is given twice"};
      }
    }
  }

  bool flag(const char* key) { return take(key).has_value(); }
  std::string text(const char* key, const char* by_default) { return take(key).value_or(by_default); }
  std::string needed(const char* key) {
    auto value = take(key);
    if (!value) {
      throw wrong{std::string("--") + key + " is missing"};
    }
    return *value;
  }
  std::optional<double> number(const char* key) {
    const auto value = take(key);
    return value ? std::optional(read_number(key, *value)) : std::nullopt;
  }
  static double read_number(const char* key, const std::string& value) {
    const auto v = parse_number(value);
    if (!v) {
      throw wrong{std::string("--") + key + ": '" + value +
                  "' is no decimal, fraction or hexadecimal float that a double holds"};
    }
    return *v;
  }
  std::int32_t integer(const char* key, std::int32_t by_default) {
    const auto value = take(key);
    std::int32_t v = by_default;
    if (value) {
      const char* const end = value->data() + value->size();
      const auto [stop, error] = std::from_chars(value->data(), end, v);
      // The two markers of an unset bound are no bounds.
      if (error != std::errc() || stop != end || v == dytq::unset_qmin || v == dytq::unset_qmax) {
        throw wrong{std::string("--") + key + ": '" + *value + "' is no code"};
      }
    }
    return v;
  }
  /// The place of a word in a list.
  std::size_t choice(const char* key, std::initializer_list<std::string_view> words) {
    const auto value = take(key);
    std::size_t i = 0;
    std::string all;
    for (const std::string_view word : words) {
      if (!value || *value == word) {
        return i;
      }
      all += (i++ == 0 ? "" : "|") + std::string(word);
    }
    throw wrong{std::string("--") + key + ": expected " + all + ", got '" + *value + "'"};
  }
  void end() const {
    if (!given_.empty()) {
      throw wrong{"there is no option --" + given_.begin()->first};
    }
  }

 private:
  std::optional<std::string> take(const char* key) {
    const auto found = given_.extract(key);
    return found.empty() ? std::nullopt : std::optional(found.mapped());
  }

  std::map<std::string, std::string> given_;
};

bool is_identifier(std::string_view name) {
  for (const char c : name) {
    if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) {
      return false;
    }
  }
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9');
}

/// The words that were given, but for the picture: everything else has been checked, and needs no quotes.
std::string command_of(int argc, const char* const* argv) {
  std::string command = "dytq_table";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--svg") {
      ++i;
    } else if (!word.starts_with("--svg=")) {
      command += " " + std::string(word);
    }
  }
  return command;
}

options read(int argc, const char* const* argv) {
  reader in(argc, argv);
  options o;
  o.help = in.flag("help");
  o.list = in.flag("list");
  if (o.help || o.list) {
    in.end();
    return o;
  }
  request& table = o.table;
  table.function = in.needed("function");
  table.parameter = in.number("parameter");
  o.in_scale_text = in.needed("in-scale");
  o.out_scale_text = in.needed("out-scale");
  table.in = {.scale = reader::read_number("in-scale", o.in_scale_text),
              .zero_point = in.integer("in-zero-point", 0),
              .qmin = in.integer("in-min", dytq::unset_qmin),
              .qmax = in.integer("in-max", dytq::unset_qmax)};
  table.out = {.scale = reader::read_number("out-scale", o.out_scale_text),
               .zero_point = in.integer("out-zero-point", 0),
               .qmin = in.integer("out-min", dytq::unset_qmin),
               .qmax = in.integer("out-max", dytq::unset_qmax)};
  table.how.alpha = in.number("alpha").value_or(1.0);
  table.how.shift = in.number("shift").value_or(0.0);
  table.bits = in.choice("bits", {"8", "16"}) == 0 ? 8 : 16;
  table.is_unsigned = in.flag("unsigned");
  table.of_int16 = in.choice("layout", {"tosa", "tflite"}) == 0 ? layout::tosa : layout::tflite;
  constexpr int steps[] = {128, 64, 32};
  table.step = steps[in.choice("step", {"128", "64", "32"})];
  table.how.arithmetic =
      in.choice("numerics", {"exact", "float32"}) == 0 ? dytq::numerics::exact : dytq::numerics::float32;
  const std::string ties = in.text("ties", "");
  if (ties != "" && ties != "even" && ties != "away") {
    throw wrong{"--ties: expected even|away, got '" + ties + "'"};
  }
  table.how.ties = ties == "away" ? dytq::tie_rule::away_from_zero : dytq::tie_rule::to_even;
  o.as = static_cast<format>(in.choice("format", {"c", "json", "python", "bin"}));
  o.of_entries = in.choice("order", {"code", "byte"}) == 0 ? order::code : order::byte;
  o.name = in.text("name", ("dytq_" + table.function).c_str());
  o.svg = in.text("svg", "");
  in.end();
  table.error_by_column = !o.svg.empty();
  if (!is_identifier(o.name)) {
    throw wrong{"--name: '" + o.name + "' is no identifier"};
  }
  if (table.bits == 16 && (table.is_unsigned || o.of_entries == order::byte)) {
    throw wrong{"--unsigned and --order byte are for 8 bits"};
  }
  if (table.bits == 8 && (table.of_int16 == layout::tflite || table.step != 128)) {
    throw wrong{"--layout and --step are for 16 bits"};
  }
  if (table.of_int16 == layout::tflite) {
    const bool plain = table.in.qmin == dytq::unset_qmin && table.in.qmax == dytq::unset_qmax &&
                       table.out.qmin == dytq::unset_qmin && table.out.qmax == dytq::unset_qmax &&
                       table.out.zero_point == 0 && table.how.alpha == 1.0 && table.how.shift == 0.0;
    if (!plain || table.step != 128 || ties == "even") {
      throw wrong{
          "TFLite's table has a step, a range and a rounding of its own, no zero point of the output, no alpha and no "
          "shift"};
    }
    table.how.ties = dytq::tie_rule::away_from_zero;
  }
  if (table.is_unsigned) {
    for (const dytq::qparams* q : {&table.in, &table.out}) {
      for (const std::int32_t bound :
           {q->qmin == dytq::unset_qmin ? 0 : q->qmin, q->qmax == dytq::unset_qmax ? 0 : q->qmax}) {
        if (bound < 0 || bound > 255) {
          throw wrong{"a uint8 tensor has no code " + std::to_string(bound)};
        }
      }
    }
  }
  o.command = command_of(argc, argv);
  return o;
}

}  // namespace

std::variant<options, std::string> read_options(int argc, const char* const* argv) {
  try {
    return read(argc, argv);
  } catch (const wrong& what) {
    return what.text;
  }
}

}  // namespace table_tool
