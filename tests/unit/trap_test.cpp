// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What traps: the value of a rejection, an element that a view does not have, an order that names an axis twice. Each
// in a process of its own, where there are processes.
#include <dytq/result.hpp>
#include <dytq/view.hpp>

#include <cstdint>

#include "support/both_worlds.hpp"

#if __has_include(<sys/wait.h>) && __has_include(<unistd.h>)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>

namespace {

using dytq_tests::opaque;

// What compilers make of a trap.
#if defined(__s390x__)
constexpr int trap_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE};
#else
constexpr int trap_signals[] = {SIGILL, SIGTRAP, SIGABRT};
#endif

/// Does f end its process by a signal? What it gives is used, so that the compiler cannot leave it out.
template <class F>
bool traps(F f) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    for (const int trap : trap_signals) {
      std::signal(trap, SIG_DFL);  // Catch2 would report it
    }
    volatile auto seen = f();
    static_cast<void>(seen);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const auto* const end = std::end(trap_signals);
  return WIFSIGNALED(status) && std::find(std::begin(trap_signals), end, WTERMSIG(status)) != end;
}

}  // namespace

TEST_CASE("what is not there traps") {
  const dytq::result<int> none = dytq::reason::empty;
  const std::int8_t memory[4] = {1, 2, 3, 4};
  const dytq::view<const std::int8_t> some(memory);
  const dytq::view<const std::int8_t, 2> matrix(memory, {2, 2});
  CHECK(!traps([&] { return some(opaque(3)); }));
  CHECK(traps([&] { return none.value(); }));
  CHECK(traps([&] { return *none; }));
  CHECK(traps([&] { return *none.operator->(); }));
  CHECK(traps([&] { return some(opaque(4)); }));
  CHECK(traps([&] { return some(opaque(-1)); }));
  CHECK(traps([&] { return matrix(opaque(0), 2); }));
  CHECK(traps([&] { return matrix(opaque(2), 0); }));
  CHECK(!traps([&] { return dytq::permute(matrix, {1, 0}).extents[0]; }));
  CHECK(traps([&] { return dytq::permute(matrix, {0, 0}).extents[0]; }));
  CHECK(traps([&] { return dytq::permute(matrix, {0, 2}).extents[0]; }));
}
#else
TEST_CASE("what is not there traps", "[.]") {}
#endif
