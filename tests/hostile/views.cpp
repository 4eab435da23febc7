// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views that point nowhere, everywhere, backwards, and into each other.
#include "hostile.hpp"

#include <dytq/rescale.hpp>
#include <dytq/table.hpp>
#include <dytq/view.hpp>

namespace hostile {
namespace {

using bytes = view<std::int8_t>;
using const_bytes = view<const std::int8_t>;
using matrix = view<std::int8_t, 2>;
using shape_2 = std::array<std::int64_t, 2>;

constexpr std::int8_t* nowhere = nullptr;

constexpr std::array plain{
    hostile_case{"validate", "no data", reason::null_view,
                 [](outputs&, int, int) { return why(dytq::validate(bytes(nowhere, {1}))); }},
    hostile_case{"validate", "no data and the largest extent", reason::null_view,
                 [](outputs&, int, int) { return why(dytq::validate(bytes(nowhere, {most}))); }},
    hostile_case{"validate", "a negative extent", reason::negative_extent,
                 [](outputs& to, int, int) { return why(dytq::validate(to.bytes_of(-1))); }},
    hostile_case{"validate", "the least extent, beside one of 0", reason::negative_extent,
                 [](outputs& to, int, int) { return why(dytq::validate(to.matrix(0, least))); }},
    hostile_case{"validate", "extents whose product leaves size_t", reason::extent_overflow,
                 [](outputs& to, int, int) { return why(dytq::validate(to.matrix(huge, huge))); }},
    hostile_case{
        "validate", "extents whose product wraps to 0", reason::extent_overflow,
        [](outputs& to, int, int) {
          return why(dytq::validate(matrix(to.bytes.data(), shape_2{std::int64_t{1} << 32, std::int64_t{1} << 32})));
        }},
    hostile_case{"validate", "the largest extent of words", reason::extent_overflow,
                 [](outputs& to, int, int) { return why(dytq::validate(to.words_of(most))); }},
    hostile_case{"validate", "five of the largest extents", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return why(dytq::validate(view<std::int8_t, 5>(to.bytes.data(), {most, most, most, most, most})));
                 }},
    hostile_case{"validate", "the largest stride", reason::extent_overflow,
                 [](outputs& to, int, int) { return why(dytq::validate(bytes(to.bytes.data(), {3}, {most}))); }},
    hostile_case{"validate", "the least stride", reason::extent_overflow,
                 [](outputs& to, int, int) { return why(dytq::validate(bytes(to.bytes.data(), {2}, {least}))); }},
    hostile_case{"validate", "strides that add up beyond the address space", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return why(dytq::validate(matrix(to.bytes.data(), {2, 2}, {most - 1, most - 1})));
                 }},
    hostile_case{
        "validate", "any stride is good for one element", reason::none,
        [](outputs& to, int, int) { return right(dytq::validate(bytes(to.bytes.data(), {1}, {least})).has_value()); }},
    hostile_case{"validate", "no elements, wherever they are", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::validate(matrix(nowhere, {0, most}, {least, most})).has_value());
                 }},
    hostile_case{"view", "sizes of what is not there", reason::none,
                 [](outputs&, int, int) {
                   return right(bytes(nowhere, {least}).size() == 0 && bytes(nowhere, {least}).empty() &&
                                !bytes(nowhere, {least}).absent() && bytes().absent() &&
                                matrix(nowhere, shape_2{huge, huge}).strides[0] == huge);
                 }},
    hostile_case{"row_major", "extents that overflow give strides of 0", reason::none,
                 [](outputs&, int, int) {
                   const view<std::int8_t, 3> v(nowhere, {1, huge, huge});
                   return right(v.strides[0] == 0);
                 }},
    hostile_case{"validate_output", "stride 0", reason::aliased_output,
                 [](outputs& to, int, int) { return why(dytq::validate_output(bytes(to.bytes.data(), {2}, {0}))); }},
    hostile_case{"validate_output", "rows that overlap", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::validate_output(matrix(to.bytes.data(), {2, 4}, {3, 1})));
                 }},
    hostile_case{"validate_output", "rows that run backwards into each other", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::validate_output(matrix(to.bytes.data() + 64, {2, 4}, {-3, -1})));
                 }},
    hostile_case{"validate_output", "two axes of one stride", reason::aliased_output,
                 [](outputs& to, int, int) {
                   return why(dytq::validate_output(matrix(to.bytes.data(), {2, 2}, {1, -1})));
                 }},
    hostile_case{"validate_output", "no data", reason::null_view,
                 [](outputs&, int, int) { return why(dytq::validate_output(bytes(nowhere, {2}))); }},
    hostile_case{"slice", "an axis that is not there", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(4), 1, 0, 1)); }},
    hostile_case{"slice", "the largest axis", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(4), SIZE_MAX, 0, 1)); }},
    hostile_case{"slice", "the least begin", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(4), 0, least, 1)); }},
    hostile_case{"slice", "a begin and a count that wrap", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(4), 0, 1, most)); }},
    hostile_case{"slice", "a negative count", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(4), 0, 4, -1)); }},
    hostile_case{"slice", "of no data", reason::null_view,
                 [](outputs&, int, int) { return why(dytq::slice(bytes(nowhere, {4}), 0, 1, 1)); }},
    hostile_case{"slice", "of what leaves the address space", reason::extent_overflow,
                 [](outputs& to, int, int) { return why(dytq::slice(to.matrix(huge, huge), 0, huge - 1, 1)); }},
    hostile_case{"slice", "of a negative extent", reason::shape_mismatch,
                 [](outputs& to, int, int) { return why(dytq::slice(to.bytes_of(-4), 0, 0, 0)); }},
    hostile_case{"same_extents", "extents that nobody has", reason::none,
                 [](outputs&, int, int) {
                   return right(dytq::same_extents(bytes(nowhere, {least}), const_bytes(nowhere, {least})) &&
                                !dytq::same_extents(bytes(nowhere, {least}), bytes(nowhere, {most})));
                 }},
    hostile_case{"validate_same_extents", "extents that nobody has", reason::shape_mismatch,
                 [](outputs&, int, int) {
                   return why(dytq::validate_same_extents(bytes(nowhere, {least}), bytes(nowhere, {most}),
                                                          dytq::place::output));
                 }},
    hostile_case{"permute", "axes of views that are not valid", reason::none,
                 [](outputs& to, int, int) {
                   return right(dytq::permute(to.matrix(least, most), {1, 0}).extents == shape_2{most, least});
                 }},
    // One tensor of RESCALE with everything wrong in turn.
    hostile_case{"apply(tensor)", "no input", reason::null_view,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(nowhere, {4}), m, s, to.bytes_of(4)));
                 }},
    hostile_case{"apply(tensor)", "no output", reason::null_view,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(to.bytes_of(4)), m, s, bytes(nowhere, {4})));
                 }},
    hostile_case{"apply(tensor)", "no multipliers", reason::null_view,
                 [](outputs& to, int, int) {
                   const std::int32_t s[] = {30};
                   return why(
                       dytq::apply({}, const_bytes(ones), view<const std::int32_t>(nullptr, {1}), s, to.bytes_of(2)));
                 }},
    hostile_case{"apply(tensor)", "outputs that share memory", reason::aliased_output,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(ones), m, s, bytes(to.bytes.data(), {2}, {0})));
                 }},
    hostile_case{"apply(tensor)", "another shape", reason::shape_mismatch,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(ones), m, s, to.bytes_of(3)));
                 }},
    hostile_case{"apply(tensor)", "two multipliers per tensor", reason::per_channel_count,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30, 1}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(ones), m, s, to.bytes_of(2)));
                 }},
    hostile_case{"apply(tensor)", "one shift for two channels", reason::per_channel_count,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30, 1}, s[] = {30};
                   return why(dytq::apply({.per_channel = true}, const_bytes(ones), m, s, to.bytes_of(2)));
                 }},
    hostile_case{"apply(tensor)", "the last element alone is illegal", reason::multiplier_negative,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30, -1}, s[] = {30, 30};
                   return why(dytq::apply({.per_channel = true}, const_bytes(ones), m, s, to.bytes_of(2)));
                 }},
    hostile_case{"apply(tensor)", "elements too narrow for the output type", reason::code_out_of_range,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({.out = dytq::code_type::i32}, const_bytes(ones), m, s, to.bytes_of(2)));
                 }},
    hostile_case{"apply(tensor)", "codes beyond int64", reason::code_out_of_range,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   const std::uint64_t far[] = {UINT64_MAX};
                   return why(dytq::apply({}, view<const std::uint64_t>(far), m, s, to.bytes_of(1)));
                 }},
};
static_assert(!at_compile_time || all_hold(plain));

// What a constant expression cannot see: addresses.
constexpr std::array addresses{
    hostile_case{"overlap", "of views that leave the address space is no question", reason::none,
                 [](outputs& to, int, int) { return right(!dytq::overlap(to.matrix(huge, huge), to.bytes_of(4))); }},
    hostile_case{"overlap", "backwards over the same memory", reason::none,
                 [](outputs& to, int, int) {
                   return right(dytq::overlap(bytes(to.bytes.data() + 7, {8}, {-1}), to.bytes_of(1)) &&
                                !dytq::overlap(bytes(to.bytes.data() + 8, {8}, {-1}), to.bytes_of(1)));
                 }},
    hostile_case{"overlap", "of elements of other sizes", reason::none,
                 [](outputs& to, int, int) {
                   const bytes inside(reinterpret_cast<std::int8_t*>(to.words.data()) + 3, {1});
                   return right(dytq::overlap(to.words_of(1), inside) && dytq::overlap(inside, to.words_of(1)));
                 }},
    hostile_case{"overlap", "columns of one tensor", reason::none,
                 [](outputs& to, int, int) {
                   const bytes even(to.bytes.data(), {8}, {2}), odd(to.bytes.data() + 1, {8}, {2});
                   return right(!dytq::overlap(even, odd) && dytq::overlap(even, even));
                 }},
    hostile_case{"validate", "memory around the end of the address space, and below its beginning",
                 reason::extent_overflow,
                 [](outputs& to, int, int) {
                   constexpr std::int64_t far = PTRDIFF_MAX / 2;
                   const reason below = why(dytq::validate(bytes(to.bytes.data(), {3}, {-far})));
                   const view<std::int8_t, 2> both(to.bytes.data(), {2, 2}, {far, -far});
                   return below == why(dytq::validate_output(both)) ? below : reason::count_;
                 }},
    hostile_case{"slice", "of memory below the beginning of the address space", reason::extent_overflow,
                 [](outputs& to, int, int) {
                   return why(dytq::slice(bytes(to.bytes.data(), {3}, {-(PTRDIFF_MAX / 2)}), 0, 2, 1));
                 }},
    hostile_case{"validate_in_place", "one element further", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return why(dytq::validate_in_place(to.bytes_of(4), bytes(to.bytes.data() + 1, {4})));
                 }},
    hostile_case{"validate_in_place", "the same memory backwards", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return why(dytq::validate_in_place(to.bytes_of(4), bytes(to.bytes.data() + 3, {4}, {-1})));
                 }},
    hostile_case{"validate_arguments", "two outputs in one place", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   return why(dytq::detail::validate_arguments({to.bytes_of(4).occupies(), to.bytes_of(2).occupies()},
                                                               {const_bytes(ones).occupies()}));
                 }},
    hostile_case{"apply(tensor)", "the output one element behind the input", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   const std::int32_t m[] = {1 << 30}, s[] = {30};
                   return why(dytq::apply({}, const_bytes(to.bytes_of(4)), m, s, bytes(to.bytes.data() + 1, {4})));
                 }},
    hostile_case{"apply(tensor)", "multipliers in the output", reason::overlapping_views,
                 [](outputs& to, int, int) {
                   const std::int32_t s[] = {30};
                   return why(dytq::apply({.out = dytq::code_type::i32}, const_bytes(ones),
                                          view<const std::int32_t>(to.words.data(), {1}), s, to.words_of(2)));
                 }},
};

}  // namespace

std::size_t check_views() { return check(plain) + check(addresses); }

}  // namespace hostile
