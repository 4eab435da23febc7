// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all calls share, and the names of everything.
#include <dytq/text.hpp>
#include <dytq/version.hpp>

#include "convert.hpp"

namespace dytq_c {

void copy(void* to, const void* from, std::size_t bytes) {
  auto* const out = static_cast<unsigned char*>(to);
  const auto* const in = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < bytes; ++i) {
    out[i] = in[i];
  }
}

dytq_rejection rejection_to_c(const dytq::rejection& why) {
  return {.size = 0,
          .reason = to_c(why.why),
          .at = to_c(why.at),
          .step = why.step,
          .convolution = why.convolution,
          .channel = why.channel,
          .output_channel = why.output_channel,
          .tap = why.tap,
          .axis = why.axis,
          .code = why.code,
          .expected = why.expected,
          .got = why.got,
          .least = why.least};
}

namespace {

dytq::rejection rejection_from_c(const dytq_rejection& why) {
  return {.why = from_c<dytq::reason>(why.reason),
          .at = from_c<dytq::place>(why.at),
          .step = why.step,
          .convolution = why.convolution,
          .channel = why.channel,
          .output_channel = why.output_channel,
          .tap = why.tap,
          .axis = why.axis,
          .code = why.code,
          .expected = why.expected,
          .got = why.got,
          .least = why.least};
}

}  // namespace

call::call(dytq_rejection* why) : why_(why) {
  if (why != nullptr) {
    if (check_size(why->size)) {
      write(why_, rejection_to_c(dytq::rejection{}));
    } else {
      why_ = nullptr;
    }
  }
}

dytq_status call::refuse(dytq_status status, const dytq::rejection& why) {
  if (ok()) {
    status_ = status;
    if (why_ != nullptr) {
      write(why_, rejection_to_c(why));
    }
  }
  return status_;
}

dytq::rescale call::rescale(const dytq_rescale& r, const dytq::code_range& out) {
  if (r.reserved != 0) {
    refuse(DYTQ_UNKNOWN_FIELD);
  }
  return {.multiplier = r.multiplier,
          .shift = r.shift,
          .input_zp = r.input_zp,
          .output_zp = r.output_zp,
          .out = range(r.out, out),
          .rounding = dytq_c::from_c<dytq::rounding_mode>(r.rounding),
          .left_shift = r.left_shift};
}

dytq::qparams qparams_of(call& c, const dytq_qparams* given) {
  const dytq_qparams q = c.value(given);
  // A bound that the library would read as an unset one is none of a type of 16 bits: its neighbour is refused as well.
  const auto bound = [&](std::int32_t given_bound, std::int32_t unset) {
    return q.codes.is_set == 0 ? unset : given_bound;
  };
  return {.scale = q.scale,
          .zero_point = q.zero_point,
          .qmin = bound(q.codes.lo == dytq::unset_qmin ? dytq::unset_qmin + 1 : q.codes.lo, dytq::unset_qmin),
          .qmax = bound(q.codes.hi == dytq::unset_qmax ? dytq::unset_qmax - 1 : q.codes.hi, dytq::unset_qmax)};
}

dytq_rescale rescale_to_c(const dytq::rescale& r) {
  return {r.multiplier, r.shift, r.input_zp, r.output_zp, to_c(r.rounding), r.left_shift, 0, range_to_c(r.out)};
}

namespace {

constexpr const char* statuses[] = {"ok", "rejected", "null_argument", "bad_size", "unknown_field", "bad_view"};
constexpr const char* status_texts[] = {"done",
                                        "refused",
                                        "a pointer that must be given is NULL",
                                        "the size of a struct is not one",
                                        "a struct has fields that this library does not know",
                                        "a view has not the type or rank that is taken, or is misaligned"};
constexpr const char* layouts[] = {"odhwi", "ohwi", "oihw", "hwio", "hwim", "iohw", "oi", "owi", "oiw", "oidhw"};
#define DYTQ_NAME_OF(name) #name,
constexpr const char* functions[] = {DYTQ_FUNCTIONS(DYTQ_NAME_OF)};
#undef DYTQ_NAME_OF

template <std::size_t N>
const char* at(const char* const (&list)[N], std::int32_t number) {
  return number >= 0 && number < static_cast<std::int32_t>(N) ? list[number] : nullptr;
}

bool same(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

}  // namespace
}  // namespace dytq_c

using namespace dytq_c;

const char* dytq_name(std::int32_t list, std::int32_t number) {
  switch (list) {
    case DYTQ_NAMES_STATUS: return at(statuses, number);
    case DYTQ_NAMES_REASON: return at(enumeration<dytq::reason>::names, number);
    case DYTQ_NAMES_CLASS:
      return at(enumeration<dytq::reason>::names, number) == nullptr
                 ? nullptr
                 : dytq::name(dytq::describe(from_c<dytq::reason>(number)).kind);
    case DYTQ_NAMES_TEXT:
      return at(enumeration<dytq::reason>::names, number) == nullptr
                 ? nullptr
                 : dytq::describe(from_c<dytq::reason>(number)).text;
    case DYTQ_NAMES_AT: return at(enumeration<dytq::place>::names, number);
    case DYTQ_NAMES_FUNCTION: return at(functions, number);
    case DYTQ_NAMES_DIALECT: return at(enumeration<dytq::scale_dialect>::names, number);
    case DYTQ_NAMES_TARGET: return at(enumeration<dytq::scale_target>::names, number);
    case DYTQ_NAMES_ROUNDING: return at(enumeration<dytq::rounding_mode>::names, number);
    case DYTQ_NAMES_TYPE: return at(enumeration<dytq::code_type>::names, number);
    case DYTQ_NAMES_NUMERICS: return at(enumeration<dytq::numerics>::names, number);
    case DYTQ_NAMES_HALF: return at(enumeration<dytq::affine_half>::names, number);
    case DYTQ_NAMES_TIES: return at(enumeration<dytq::tie_rule>::names, number);
    case DYTQ_NAMES_FORM: return at(enumeration<dytq::form>::names, number);
    case DYTQ_NAMES_ENGINE: return at(enumeration<dytq::engine>::names, number);
    case DYTQ_NAMES_KERNEL: return at(enumeration<dytq::engine_operator>::names, number);
    case DYTQ_NAMES_PRODUCT: return at(enumeration<dytq::scale_product>::names, number);
    case DYTQ_NAMES_ACTIVATION: return at(enumeration<dytq::fused_activation>::names, number);
    case DYTQ_NAMES_OPERATION: return at(enumeration<dytq::operation>::names, number);
    case DYTQ_NAMES_LAYOUT: return at(layouts, number);
    default: return nullptr;
  }
}

std::int32_t dytq_number(std::int32_t list, const char* name) {
  if (name == nullptr) {
    return -1;
  }
  for (std::int32_t number = 0;; ++number) {
    const char* const known = dytq_name(list, number);
    if (known == nullptr || same(known, name)) {
      return known == nullptr ? -1 : number;
    }
  }
}

std::size_t dytq_text(dytq_status status, const dytq_rejection* why, char* buffer, std::size_t capacity) {
  dytq_rejection known = rejection_to_c(dytq::rejection{});
  if (why != nullptr && why->size >= 8 && why->size <= 65536) {
    copy(&known, why, why->size < sizeof known ? static_cast<std::size_t>(why->size) : sizeof known);
  }
  dytq::text_buffer<400> line;
  if (status == DYTQ_REJECTED) {
    line.add(dytq::to_text(rejection_from_c(known)).c_str());
  } else if (const char* const name = at(statuses, status); name == nullptr) {
    line.add("unknown status ").add(std::int64_t{status});
  } else {
    line.add(name);
    if (known.at != 0 && at(enumeration<dytq::place>::names, known.at) != nullptr) {
      line.add(" at ").add(at(enumeration<dytq::place>::names, known.at));
    }
    if (known.expected != DYTQ_UNSET || known.got != DYTQ_UNSET) {
      line.add(": expected ").add(known.expected).add(", got ").add(known.got);
    }
    line.add(" (").add(status_texts[status]).add(')');
  }
  if (buffer != nullptr && capacity > 0) {
    const std::size_t length = line.size() < capacity - 1 ? line.size() : capacity - 1;
    copy(buffer, line.data(), length);
    buffer[length] = '\0';
  }
  return line.size();
}

#define DYTQ_TEXT_OF_(x) #x
#define DYTQ_TEXT_OF(x) DYTQ_TEXT_OF_(x)
const char* dytq_version(void) {
  return DYTQ_TEXT_OF(DYTQ_VERSION_MAJOR) "." DYTQ_TEXT_OF(DYTQ_VERSION_MINOR) "." DYTQ_TEXT_OF(DYTQ_VERSION_PATCH);
}

std::int32_t dytq_abi_version(void) { return DYTQ_ABI_VERSION; }
