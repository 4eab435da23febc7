// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From C to C++ and back: one `call` for each call, which reads structs of any size, makes views, and keeps the first
// objection.
#ifndef DYTQ_BINDINGS_C_CONVERT_HPP
#define DYTQ_BINDINGS_C_CONVERT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <dytq/chain.hpp>
#include <dytq/codes.hpp>
#include <dytq/engine.hpp>
#include <dytq/fold.hpp>
#include <dytq/lut.hpp>
#include <dytq/plan.hpp>
#include <dytq/rescale.hpp>
#include <dytq/result.hpp>
#include <dytq/scale.hpp>
#include <dytq/view.hpp>
#include <iterator>
#include <type_traits>

#include "dytq.h"

namespace dytq_c {

/// The enumerators of E and their names, by their numbers in C.
template <class E>
struct enumeration;
#include "enums.inc"

/// The enumerator of a number; one that has no name if it is none, which the library refuses in its own words.
template <class E>
constexpr E from_c(std::int32_t number) {
  constexpr auto count = static_cast<std::int32_t>(std::size(enumeration<E>::values));
  return number >= 0 && number < count ? enumeration<E>::values[number] : static_cast<E>(255);
}
template <class E>
constexpr std::int32_t to_c(E e) {
  std::int32_t number = 0;
  for (const E known : enumeration<E>::values) {
    if (known == e) {
      return number;
    }
    ++number;
  }
  return -1;
}

template <class T>
constexpr std::int32_t type_number() {
  return sizeof(T) == 8   ? DYTQ_INT64
         : sizeof(T) == 4 ? (std::is_signed_v<T> ? DYTQ_INT32 : DYTQ_UINT32)
         : sizeof(T) == 2 ? (std::is_signed_v<T> ? DYTQ_INT16 : DYTQ_UINT16)
                          : (std::is_signed_v<T> ? DYTQ_INT8 : DYTQ_UINT8);
}

dytq_rejection rejection_to_c(const dytq::rejection& why);

/// Bytes of a struct, without <cstring>.
void copy(void* to, const void* from, std::size_t bytes);

/// To the caller's struct, as far as it goes; its size stays.
template <class T>
void write(T* to, T value) {
  if (to == nullptr) {
    return;
  }
  value.size = to->size;
  const auto size = static_cast<std::size_t>(to->size);
  copy(to, &value, size < sizeof(T) ? size : sizeof(T));
  auto* const bytes = reinterpret_cast<unsigned char*>(to);
  for (std::size_t i = sizeof(T); i < size; ++i) {
    bytes[i] = 0;
  }
}

class call {
 public:
  explicit call(dytq_rejection* why);

  bool ok() const { return status_ == DYTQ_OK; }
  dytq_status status() const { return status_; }

  /// The first objection counts.
  dytq_status refuse(dytq_status status, const dytq::rejection& why = {});
  template <class T>
  dytq_status answer(const dytq::result<T>& r) {
    return r ? status_ : refuse(DYTQ_REJECTED, r.error());
  }

  /// The same, and what there is goes to the caller's struct, as in C.
  template <class T, class Out, class F>
  dytq_status answer(const dytq::result<T>& r, Out* to, F in_c) {
    if (ok() && r) {
      write(to, in_c(*r));
    }
    return answer(r);
  }

  /// An argument: as much of it as there is, and 0.
  template <class T>
  T read(const T* given, bool required = true) {
    T known{};
    if (given == nullptr) {
      if (required) {
        refuse(DYTQ_NULL_ARGUMENT);
      }
    } else if (check_size(given->size)) {
      const std::size_t bytes = given->size < sizeof(T) ? static_cast<std::size_t>(given->size) : sizeof(T);
      copy(&known, given, bytes);
      const auto* const tail = reinterpret_cast<const unsigned char*>(given);
      for (std::size_t i = sizeof(T); i < given->size; ++i) {
        if (tail[i] != 0) {
          refuse(DYTQ_UNKNOWN_FIELD);
          break;
        }
      }
    }
    return known;
  }
  /// An argument without a size.
  template <class T>
  T value(const T* given) {
    if (given == nullptr) {
      refuse(DYTQ_NULL_ARGUMENT);
      return T{};
    }
    return *given;
  }
  /// The enumerator of a number, or the refusal of one that has none: `got` is what the caller gave.
  template <class E>
  E enumerator(std::int32_t number, dytq::reason otherwise) {
    if (number < 0 || number >= static_cast<std::int32_t>(std::size(enumeration<E>::values))) {
      refuse(DYTQ_REJECTED, {.why = otherwise, .got = number});
    }
    return from_c<E>(number);
  }
  /// Can it be written to, once all is proven?
  template <class T>
  void check_output(const T* out, bool required = true) {
    if (out == nullptr) {
      if (required) {
        refuse(DYTQ_NULL_ARGUMENT);
      }
    } else if constexpr (requires { out->size; }) {
      check_size(out->size);
    }
  }

  template <class T, std::size_t Rank>
  dytq::view<const T, Rank> view(const dytq_view& v, dytq::place at) {
    return fits<T>(v, static_cast<std::int32_t>(Rank), at) ? make<const T, Rank>(v.data, v)
                                                           : dytq::view<const T, Rank>{};
  }
  template <class T, std::size_t Rank>
  dytq::view<T, Rank> view(const dytq_output& v, dytq::place at) {
    return fits<T>(v, static_cast<std::int32_t>(Rank), at) ? make<T, Rank>(v.data, v) : dytq::view<T, Rank>{};
  }
  template <class T, std::size_t Rank, class V>
  auto view(const V* v, dytq::place at) {
    return view<T, Rank>(value(v), at);
  }
  /// NULL is a view that is not there.
  template <class T, std::size_t Rank, class V>
  auto optional_view(const V* v, dytq::place at) {
    return view<T, Rank>(v == nullptr ? V{} : *v, at);
  }
  /// A view of any rank, with axes of one element before it.
  template <class T>
  dytq::view<const T, 5> view_of_any_rank(const dytq_view& v, dytq::place at) {
    return fits<T>(v, v.rank, at) ? make<const T, 5>(v.data, v) : dytq::view<const T, 5>{};
  }
  template <class T>
  dytq::view<T, 5> view_of_any_rank(const dytq_output& v, dytq::place at) {
    return fits<T>(v, v.rank, at) ? make<T, 5>(v.data, v) : dytq::view<T, 5>{};
  }
  /// Is it a tensor of that type?
  static bool has_type(std::int32_t given, std::int32_t wanted) { return given == wanted; }

  dytq::rescale rescale(const dytq_rescale& r, const dytq::code_range& out = dytq::int32_range);

  /// A table that the library gave by value goes to `to`, which must be disjoint from what was read, or the same.
  template <class Table, class... In>
  dytq_status store(const dytq::result<Table>& table, const dytq::view<typename Table::value_type>& to,
                    const In&... in) {
    if (!ok()) {
      return status_;
    }
    for (const dytq::verdict& v : {dytq::validate_output(to), dytq::validate_in_place(to, in)...}) {
      if (!v) {
        return answer(v);
      }
    }
    constexpr auto entries = static_cast<std::int64_t>(std::tuple_size_v<Table>);
    if (to.extent(0) != entries) {
      return refuse(
          DYTQ_REJECTED,
          {.why = dytq::reason::table_size, .at = dytq::place::output, .expected = entries, .got = to.extent(0)});
    }
    if (table) {
      for (std::size_t i = 0; i < std::tuple_size_v<Table>; ++i) {
        to.data[to.offset({static_cast<std::int64_t>(i)})] = (*table)[i];
      }
    }
    return answer(table);
  }

 private:
  bool check_size(std::uint64_t size) {
    const bool sensible = size >= 8 && size <= 65536 && size % 8 == 0;
    if (!sensible) {
      refuse(DYTQ_BAD_SIZE);
    }
    return sensible;
  }
  template <class V>
  static bool is_empty(const V& v) {
    bool none = false;
    for (std::int32_t r = 0; r < v.rank; ++r) {
      none = none || v.extents[r] == 0;
    }
    return none;
  }
  template <class T, class V>
  bool fits(const V& v, std::int32_t rank, dytq::place at) {
    if (v.data == nullptr && v.rank == 0) {  // it is not there
      return false;
    }
    const auto wrong = [&](std::int64_t expected, std::int64_t got) {
      refuse(DYTQ_BAD_VIEW, {.at = at, .expected = expected, .got = got});
      return false;
    };
    if (rank < 1 || rank > 5) {
      return wrong(5, rank);
    }
    if (v.rank != rank) {
      return wrong(rank, v.rank);
    }
    if (v.type != type_number<T>()) {
      return wrong(type_number<T>(), v.type);
    }
    const auto excess = reinterpret_cast<std::uintptr_t>(v.data) % alignof(T);
    return excess == 0 || is_empty(v) || wrong(0, static_cast<std::int64_t>(excess));
  }
  template <class T, std::size_t Rank, class Pointer, class V>
  static dytq::view<T, Rank> make(Pointer* data, const V& v) {
    // A view that is there and has no elements may have any address; to the library one without would be absent.
    static std::int64_t nothing = 0;
    dytq::view<T, Rank> made;
    made.data = is_empty(v) ? reinterpret_cast<T*>(&nothing) : static_cast<T*>(data);
    const auto rank = static_cast<std::size_t>(v.rank);
    for (std::size_t r = 0; r < Rank; ++r) {
      const bool given = r + rank >= Rank;
      made.extents[r] = given ? v.extents[r + rank - Rank] : 1;
      made.strides[r] = given ? v.strides[r + rank - Rank] : 0;
    }
    return made;
  }

  dytq_rejection* why_;
  dytq_status status_ = DYTQ_OK;
};

dytq_rescale rescale_to_c(const dytq::rescale& r);

inline dytq_range range_to_c(const dytq::code_range& r) {
  return {1, static_cast<std::int32_t>(r.lo), static_cast<std::int32_t>(r.hi)};
}

inline dytq::code_range range(const dytq_range& r, const dytq::code_range& otherwise) {
  return r.is_set != 0 ? dytq::code_range{r.lo, r.hi} : otherwise;
}

dytq::qparams qparams_of(call& c, const dytq_qparams* given);

/// A set of codes as C has it: none given means all.
dytq::code_set codes(std::int32_t given, const std::uint64_t (&words)[4]);

/// A chain with the memory of its steps.
struct held_chain {
  std::array<dytq::chain_step, dytq::max_chain_steps> steps{};
  dytq::chain chain{};

  void read(call& c, const dytq_chain* given);
};

/// A site with the memory of its chain.
struct held_site {
  held_chain chain;
  dytq::affine_site site{};

  void read(call& c, const dytq_affine_site* given);
};

/// f(a value of the type) for the type of a tensor's elements.
template <class F>
dytq_status with_type(std::int32_t type, F f) {
  switch (type) {
    case DYTQ_INT8: return f(std::int8_t{});
    case DYTQ_UINT8: return f(std::uint8_t{});
    case DYTQ_INT16: return f(std::int16_t{});
    case DYTQ_UINT16: return f(std::uint16_t{});
    case DYTQ_INT32: return f(std::int32_t{});
    default: return f(std::int64_t{});  // of which a view of another type is none
  }
}

}  // namespace dytq_c

#endif
