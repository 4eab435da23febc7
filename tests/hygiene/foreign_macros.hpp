// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that other people's headers define, in names that a library may have too. The headers must read as if these
// were not there: hygiene.py foreign_macros. One macro a line.

// Cores for microcontrollers: Arduino's, and those that copy it.
#define abs(x) ((x) > 0 ? (x) : -(x))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define bit(b) (1UL << (b))
#define constrain(amt, low, high) ((amt) < (low) ? (low) : ((amt) > (high) ? (high) : (amt)))
#define radians(deg) ((deg)*DEG_TO_RAD)
#define degrees(rad) ((rad)*RAD_TO_DEG)
#define sq(x) ((x) * (x))
#define F(string_literal) (reinterpret_cast<const __FlashStringHelper*>(PSTR(string_literal)))
#define word(...) makeWord(__VA_ARGS__)
#define interrupts() sei()
#define noInterrupts() cli()
#define lowByte(w) ((uint8_t)((w)&0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bitClear(value, bit) ((value) &= ~(1UL << (bit)))
#define bitToggle(value, bit) ((value) ^= (1UL << (bit)))
#define bitWrite(value, bit, bitvalue) ((bitvalue) ? bitSet(value, bit) : bitClear(value, bit))
#define B0 0
#define B1 1
#define B01 1
#define A0 14
#define A1 15
#define SP 0x3d
#define PI 3.1415926535897932384626433832795
#define EULER 2.718281828459045235360287471352
#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define CHANGE 1
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 3

// C's math.h, tgmath.h and complex.h.
#define isnan(x) (__builtin_isnan(x))
#define isinf(x) (__builtin_isinf(x))
#define isfinite(x) (__builtin_isfinite(x))
#define signbit(x) (__builtin_signbit(x))
#define exp(x) (0)
#define exp2(x) (0)
#define log(x) (0)
#define log2(x) (0)
#define sqrt(x) (0)
#define pow(x, y) (0)
#define sin(x) (0)
#define cos(x) (0)
#define tan(x) (0)
#define tanh(x) (0)
#define erf(x) (0)
#define floor(x) (0)
#define ceil(x) (0)
#define I _Complex_I

// Operating systems.
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BIT(n) (1UL << (n))
#define likely(x) __builtin_expect((x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define near
#define far
#define small char
#define interface struct
#define linux 1
#define unix 1
#define major(dev) ((dev) >> 8)
#define minor(dev) ((dev)&0xff)
