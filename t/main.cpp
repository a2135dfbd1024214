// SPDX-License-Identifier: MIT
// Runs the tests with Catch2, in the program's locale, and prints the number of test cases last.
// With --jobs N each test has its own process, so that a crash stops no other test. Twice as many
// processes run at a time, because tests wait half of their time for a terminal or a socket.
#define CATCH_CONFIG_RUNNER
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <iostream>
#include <map>

#include "catch.hpp"
#if CATCH_VERSION_MAJOR > 2
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_spec.hpp>
#include <catch2/internal/catch_test_case_registry_impl.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

namespace pbm::test {
int skipped_count();
}

namespace {

// The differences between Catch2's two versions.
#if CATCH_VERSION_MAJOR > 2
using Catch::EventListenerBase;
using Catch::Clara::Opt;
using TestCase = Catch::TestCaseHandle;
const std::string& test_name(const TestCase& test) { return test.getTestCaseInfo().name; }
bool is_other_listing(const Catch::ConfigData& asked) { return asked.listListeners; }
#else
using EventListenerBase = Catch::TestEventListenerBase;
using Catch::TestCase;
using Catch::clara::Opt;
const std::string& test_name(const TestCase& test) { return test.name; }
bool is_other_listing(const Catch::ConfigData& asked) { return asked.listTestNamesOnly; }
#endif

struct Counts {
  std::size_t passed = 0, failed = 0, skipped = 0, assertions = 0, failed_assertions = 0;
};

struct ResultCounter : EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats& run) override {
    const auto& cases = run.totals.testCases;
    const auto& assertions = run.totals.assertions;
    *target = {cases.passed + cases.failedButOk, cases.failed,
               static_cast<std::size_t>(pbm::test::skipped_count()), assertions.total(),
               assertions.failed};
  }
  static inline Counts local_counts;
  static inline Counts* target = &local_counts;
};
CATCH_REGISTER_LISTENER(ResultCounter)

// Returns a filter for that test alone: some characters have a meaning even in quotes.
std::string as_filter(const std::string& name) {
  std::string out = "\"";
  for (const char c : name)
    out += std::string_view(",\"\\[]").find(c) != std::string_view::npos ? std::string{'\\', c}
                                                                         : std::string(1, c);
  return out + '"';
}

// Starts a process that runs one test. Its output and its counts go there. Returns -1 on failure.
pid_t start_test(Catch::Session& session, const std::string& name, std::FILE* output,
                 Counts* counts) {
  const pid_t process = output ? fork() : -1;
  if (process != 0) return process;
  dup2(fileno(output), STDOUT_FILENO);
  ResultCounter::target = counts;
  session.configData().testsOrTags = {as_filter(name)};
  session.useConfigData(session.configData());
  const int status = session.run();
  std::cout << std::flush;
  std::fflush(nullptr);
  _exit(status == 0 ? 0 : 1);
}

// Returns the output of a test without Catch2's text before and after it.
std::string take_output(std::FILE* output) {
  std::string text;
  std::rewind(output);
  for (int c; (c = std::getc(output)) != EOF;) text += static_cast<char>(c);
  std::fclose(output);
  if (const std::size_t totals = text.rfind("\n====="); totals != std::string::npos)
    text.erase(totals + 1);
  for (const char* head : {"Filters: ", "Randomness seeded to: "})
    if (text.rfind(head, 0) == 0) text.erase(0, text.find('\n') + 1);
  constexpr std::string_view about = "Run with -? for options\n\n";
  if (const auto from = text.find("\n~~~~"), to = text.find(about); from < to && to < text.size())
    text.erase(from, to + about.size() - from);
  return text;
}

// Runs the selected tests, `most` at a time. Returns the status for main: 0 if all passed.
int run_in_processes(Catch::Session& session, std::size_t most) {
  const Catch::Config& config = session.config();
  const auto tests =
      Catch::filterTests(Catch::getAllTestCasesSorted(config), config.testSpec(), config);
  if (tests.empty()) {
    std::cout << "No test is called so.\n";
    return 1;
  }
  void* shared = mmap(nullptr, tests.size() * sizeof(Counts), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  Counts* const counts = new (shared) Counts[tests.size()];
  struct Running {
    std::size_t test;
    std::FILE* output;
  };
  std::map<pid_t, Running> running;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  Counts& total = ResultCounter::local_counts;
  for (std::size_t next = 0, done = 0; done < tests.size();) {
    for (; next < tests.size() && running.size() < most; ++next) {
      std::FILE* const output = std::tmpfile();
      const pid_t process = start_test(session, test_name(tests[next]), output, counts + next);
      if (process < 0) return 2;
      running[process] = {next, output};
    }
    int status = 0;
    const auto ended = running.extract(wait(&status));
    if (ended.empty()) continue;  // a process that a test left behind
    Counts& one = counts[ended.mapped().test];
    if ((status != 0 || one.passed == 0) && one.failed == 0)
      one = {0, 1, one.skipped, one.assertions, one.failed_assertions};
    total = {total.passed + one.passed, total.failed + one.failed, total.skipped + one.skipped,
             total.assertions + one.assertions, total.failed_assertions + one.failed_assertions};
    if (terminal) std::cout << "\r\33[K";
    std::cout << take_output(ended.mapped().output);
    if (WIFSIGNALED(status))
      std::cout << "Ended by signal " << WTERMSIG(status) << ": "
                << test_name(tests[ended.mapped().test]) << "\n";
    if (++done % 100 == 0 || terminal)
      std::cout << done << " of " << tests.size() << " tests, " << total.failed << " failed"
                << (terminal ? "" : "\n");
    std::cout << std::flush;
  }
  std::cout << (terminal ? "\r\33[K" : "") << std::string(79, '=') << '\n'
            << total.assertions << " assertions in " << tests.size() << " tests, "
            << total.failed_assertions << " wrong\n\n";
  return total.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // The login name of the person who runs the tests must not appear as a player.
  for (const char* login : {"LOGNAME", "USER"}) ::unsetenv(login);
  std::setlocale(LC_ALL, "C.UTF-8");
  Catch::Session session;
  std::size_t jobs = 0;
  session.cli(session.cli() |
              Opt(jobs, "number")["--jobs"]("share the tests among so many processors"));
  int status = session.applyCommandLine(argc, argv);
  if (status != 0) return status;
  const auto& asked = session.configData();
  const bool lists =
      asked.listTests || asked.listTags || asked.listReporters || is_other_listing(asked);
  if (jobs > 0 && !lists && !asked.showHelp) status = run_in_processes(session, 2 * jobs);
  else status = session.run();
  const Counts& counts = ResultCounter::local_counts;
  if (counts.passed + counts.failed > 0)
    std::cout << counts.passed << " passed, " << counts.failed << " failed, " << counts.skipped
              << " skipped" << std::endl;
  return status;
}
