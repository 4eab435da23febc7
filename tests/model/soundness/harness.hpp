// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the soundness tests share: sites of every rank in the oracle's words and in the library's, and judges that know
// nothing of how a rewrite is found. They enumerate output positions, taps and codes one by one.
#ifndef DYTQ_TESTS_SOUNDNESS_HARNESS_HPP
#define DYTQ_TESTS_SOUNDNESS_HARNESS_HPP

#include <array>
#include <cstdint>
#include <cstdlib>
#include <dytq/conv.hpp>
#include <dytq/fold.hpp>
#include <dytq/result.hpp>
#include <dytq/site.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle.hpp"

namespace soundness {

using oracle::integer;
using oracle::integers;
using oracle::wide;

inline std::size_t at(integer i) { return static_cast<std::size_t>(i); }

// A number from the environment, so that a run can be repeated with another seed or made longer.
inline integer from_environment(const char* name, integer otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

// ------------------------------------------------------------------------------------------------ geometry
struct axis {
  integer input = 0;  // 0: any extent, one class of positions
  integer stride = 1;
  integer dilation = 1;
  integer before = 0;
  integer after = 0;
};

struct geometry {
  bool transposed = false;
  std::array<integer, 3> kernel = {1, 1, 1};  // depth, height, width
  std::array<axis, 3> axes = {};

  integer taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  bool has_depth() const;
};

// One output position: its taps inside the input, and which input element (flat over depth, row, column) each reads.
struct tap_read {
  std::size_t tap;
  std::size_t element;
};
using position = std::vector<tap_read>;

// The extents of an input that the geometry takes; the smallest where it takes any.
std::array<integer, 3> input_extents(const geometry& g);
// Nothing: no such operator.
std::optional<std::array<integer, 3>> output_extents(const geometry& g);
std::optional<std::vector<position>> positions_of(const geometry& g);

// ------------------------------------------------------------------------------------------------ sites
struct test_site {
  oracle::site graph;  // the table with what cannot occur replaced by what can, so that X is the library's
  geometry shape;
  integers raw_table;           // what the library sees
  std::vector<bool> reachable;  // 256

  integer channels() const { return graph.conv.in_channels_per_group * graph.conv.groups; }
  std::size_t weight_index(integer o, integer tap, integer i) const {
    return at((o * shape.taps() + tap) * graph.conv.in_channels_per_group + i);
  }
  integer weight_zp(integer o) const { return graph.conv.weight_zp[graph.conv.weight_zp.size() == 1 ? 0 : at(o)]; }
  integer centered(integer o, integer tap, integer i) const {
    return graph.conv.weight[weight_index(o, tap, i)] - weight_zp(o);
  }
  integer bias(integer o) const {
    return !graph.conv.bias ? 0 : (*graph.conv.bias)[graph.conv.bias->size() == 1 ? 0 : at(o)];
  }
  integer group(integer o) const { return o / (graph.conv.out_channels / graph.conv.groups); }
};

// Puts `shape` into the oracle's words: its own geometry where it has one for the rank, else a list of positions.
void describe_shape(test_site& t);
// Makes the graph's table from raw_table and reachable.
void apply_reachable(test_site& t);

// ------------------------------------------------------------------------------------------------ the library's words
// How weights lie in memory: the axes O, D, H, W, I from the slowest to the fastest, each with unused elements behind.
struct layout {
  bool of_the_rank = true;  // as from_oi, from_owi, from_ohwi, from_hwim read it; else:
  std::array<std::size_t, 5> order = {0, 1, 2, 3, 4};
  integer unused = 0;
  bool reversed = false;  // the slowest axis runs backwards
};

struct library_site {
  std::vector<std::int8_t> table, gamma, beta, weight, weight_zp;
  std::vector<std::int32_t> bias;
  dytq::affine_site site;
  dytq::convolution conv;

  std::vector<std::int8_t> weight_out;
  std::vector<std::int32_t> bias_out;
  std::vector<std::int16_t> lines;
  dytq::fold_outputs out;

  library_site(const test_site& t, const layout& in, const layout& folded);
  library_site(const library_site&) = delete;
  library_site& operator=(const library_site&) = delete;

  void reset_outputs();  // to values that no fold writes by chance
  bool outputs_untouched() const;
  void write_in_place();                          // the outputs become the inputs' memory
  oracle::folded folded(integer input_zp) const;  // what the outputs hold
};

dytq::rescale step_of(const oracle::stage& s);

// ------------------------------------------------------------------------------------------------ judges
// What a convolution reads: the code of each channel in each case. A case is a code at the TABLE's input.
using readings = std::vector<integers>;
integers cases_of(const test_site& t);  // the reachable inputs, 0 ... 255
readings chain_readings(const test_site& t, const oracle::site_maps& maps);
readings gamma_readings(const test_site& t, const oracle::site_maps& maps);
readings table_readings(const test_site& t, const integers& table);

// Does the convolution of `after` with the claimed constants give every accumulator of the original one of `before`, at
// every output position, for every choice of cases? "" or what is wrong.
std::string compare(const test_site& t, const readings& before, const readings& after, const oracle::folded& claim);

// The accumulators for one case per input element (element-major, then channel), as position-major lists.
std::vector<wide> run(const test_site& t, const integers& weight, const integers& bias, integer input_zp,
                      const readings& codes, const integers& case_of_element);

// ------------------------------------------------------------------------------------------------ counter-examples
// What a fold would have to be, recomputed weight by weight.
struct algebra {
  std::vector<std::optional<wide>> folded;  // n for each weight of a touched tap; nothing: no integer does it
  std::vector<wide> constant;               // w * (y(first) - input_zp) - n * first_delta
  wide deltas_lo = 0, deltas_hi = 0;        // of D over everything that occurs
  wide preferred = 0;                       // the offset that nothing determines
  bool nearest = false;                     // else kept
  wide offsets_lo = 0, offsets_hi = 0;
};
enum class fold_kind { into_conv, beta, retabled };

struct facts {
  oracle::outcome<oracle::site_maps> maps;
  std::optional<std::vector<position>> positions;
  std::vector<std::set<std::size_t>> classes;  // distinct sets of taps
  std::set<std::size_t> touched;
};
facts facts_of(const test_site& t);

algebra algebra_of(const test_site& t, const facts& f, fold_kind kind);

// Does a fold of beta alone exist? By trying every input zero point. "" if so, else a word.
std::string beta_fold_refusal(const test_site& t, const facts& f);

// Is the rejection true, and its counter-example one? "" or what is wrong with it.
std::string examine_step(const test_site& t, const dytq::rejection& r, bool& known);
std::string examine_map(const test_site& t, const facts& f, const dytq::rejection& r);
std::string examine_fold(const test_site& t, const facts& f, const dytq::rejection& r, fold_kind kind);

std::string to_string(const dytq::rejection& r);
std::string to_string(const test_site& t);

// ------------------------------------------------------------------------------------------------ tallies
class histogram {
 public:
  void count(const std::string& bucket) { seen_[bucket] += 1; }
  integer of(const std::string& bucket) const {
    const auto found = seen_.find(bucket);
    return found == seen_.end() ? 0 : found->second;
  }
  std::string text() const;

 private:
  std::map<std::string, integer> seen_;
};

}  // namespace soundness

#endif
