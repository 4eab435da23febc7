// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every unchecked lookup, called from outside: the object may ask nothing of the linker.
#include <cstddef>
#include <cstdint>
#include <dytq/lookup.hpp>

extern "C" {

std::int8_t code_of(const dytq::table8& table, std::int8_t code) { return dytq::lookup_code(table, code); }
std::int8_t code_of_byte(const dytq::byte_table8& table, std::int8_t code) { return dytq::lookup_code(table, code); }
std::uint8_t code_of_u8(const dytq::table8& table, std::uint8_t code) { return dytq::lookup_code(table, code); }
std::int32_t point_of(const dytq::table16& table, std::int16_t code) { return dytq::interpolate(table, code); }
std::int16_t rounded_of(const dytq::table16& table, std::int16_t code) { return dytq::interpolate_code(table, code); }
std::int16_t tflite_of(const dytq::tflite_table16& table, std::int16_t code) {
  return dytq::interpolate_code(table, code);
}

void codes(const dytq::table8& table, const std::int8_t* in, std::int8_t* out, std::size_t count) {
  dytq::lookup_codes(table, in, out, count);
}
void codes_by_byte(const dytq::byte_table8& table, const std::int8_t* in, std::int8_t* out, std::size_t count) {
  dytq::lookup_codes(table, in, out, count);
}
void codes_u8(const dytq::table8& table, const std::uint8_t* in, std::uint8_t* out, std::size_t count) {
  dytq::lookup_codes(table, in, out, count);
}
void points(const dytq::table16& table, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  dytq::interpolate_codes(table, in, out, count);
}
void points_64(const dytq::stepped_table16<64>& table, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  dytq::interpolate_codes(table, in, out, count);
}
void points_32(const dytq::stepped_table16<32>& table, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  dytq::interpolate_codes(table, in, out, count);
}
void points_tflite(const dytq::tflite_table16& table, const std::int16_t* in, std::int16_t* out, std::size_t count) {
  dytq::interpolate_codes(table, in, out, count);
}
void channels_nhwc(const std::int8_t* in, std::int8_t* out, std::int64_t pixels, std::int64_t channels,
                   const std::int32_t* index, const std::int8_t* tables) {
  dytq::lookup_channels_nhwc(in, out, pixels, channels, index, tables);
}
void channels_nchw(const std::int8_t* in, std::int8_t* out, std::int64_t batch, std::int64_t channels,
                   std::int64_t pixels, const std::int32_t* index, const std::int8_t* tables) {
  dytq::lookup_channels_nchw(in, out, batch, channels, pixels, index, tables);
}

}  // extern "C"
