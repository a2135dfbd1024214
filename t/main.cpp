// SPDX-License-Identifier: MIT
// Catch2's main, the locale the program itself would take, a last line that
// counts test cases, and --jobs N: as many of them wait for a terminal, a
// socket or a child, several processes that share the tests end much sooner.
#define CATCH_CONFIG_RUNNER
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <iostream>

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
int skipped_so_far();
}

namespace {

// Where the two versions of Catch2 differ.
#if CATCH_VERSION_MAJOR > 2
using Catch::EventListenerBase;
using Catch::Clara::Opt;
using TestCase = Catch::TestCaseHandle;
const std::string& name_of(const TestCase& test) { return test.getTestCaseInfo().name; }
bool lists_more(const Catch::ConfigData& asked) { return asked.listListeners; }
#else
using EventListenerBase = Catch::TestEventListenerBase;
using Catch::TestCase;
using Catch::clara::Opt;
const std::string& name_of(const TestCase& test) { return test.name; }
bool lists_more(const Catch::ConfigData& asked) { return asked.listTestNamesOnly; }
#endif

struct Counts {
  std::size_t passed = 0, failed = 0, skipped = 0, assertions = 0, wrong = 0;
};

struct Count : EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void testRunEnded(const Catch::TestRunStats& run) override {
    const auto& cases = run.totals.testCases;
    const auto& assertions = run.totals.assertions;
    *to = {cases.passed + cases.failedButOk, cases.failed,
           static_cast<std::size_t>(pbm::test::skipped_so_far()), assertions.total(),
           assertions.failed};
  }
  static inline Counts here;
  static inline Counts* to = &here;
};
CATCH_REGISTER_LISTENER(Count)

// One process: the part of the tests it is to run and what came of them.
struct Job {
  pid_t process = -1;
  std::FILE* output = nullptr;
  Counts* counts = nullptr;  // in memory it shares with us
};

// What a job printed, without the list of its tests and its own totals.
void print(std::FILE* output) {
  std::string text;
  std::rewind(output);
  for (int c; (c = std::getc(output)) != EOF;) text += static_cast<char>(c);
  if (const std::size_t totals = text.rfind("\n====="); totals != std::string::npos)
    text.erase(totals + 1);
  for (const char* head : {"Filters: ", "Randomness seeded to: "})
    if (text.rfind(head, 0) == 0) text.erase(0, text.find('\n') + 1);
  std::cout << text;
}

// The name of a test as a filter for it alone: some signs mean something even in quotes.
std::string as_filter(const std::string& name) {
  std::string out = "\"";
  for (const char c : name)
    out += std::string_view(",\"\\[]").find(c) != std::string_view::npos ? std::string{'\\', c}
                                                                         : std::string(1, c);
  return out + '"';
}

// The tests that were asked for, every jobs-th of them in one process.
// Returns what main returns: 0 if all passed.
int run_shared(Catch::Session& session, std::size_t jobs) {
  const Catch::Config& config = session.config();
  const auto tests =
      Catch::filterTests(Catch::getAllTestCasesSorted(config), config.testSpec(), config);
  if (tests.empty()) {
    std::cout << "No test is called so.\n";
    return 1;
  }
  std::vector<Job> all(jobs);
  void* shared = mmap(nullptr, jobs * sizeof(Counts), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  for (std::size_t k = 0; k < jobs; ++k) {
    all[k].output = std::tmpfile();
    all[k].counts = new (static_cast<Counts*>(shared) + k) Counts;
    if (!all[k].output || (all[k].process = fork()) < 0) return 2;
    if (all[k].process > 0) continue;
    Count::to = all[k].counts;
    dup2(fileno(all[k].output), STDOUT_FILENO);
    std::string names;
    for (std::size_t i = k; i < tests.size(); i += jobs)
      names += (names.empty() ? "" : ",") + as_filter(name_of(tests[i]));
    if (names.empty()) _exit(0);
    session.configData().testsOrTags = {names};
    session.useConfigData(session.configData());
    const int status = session.run();
    std::cout << std::flush;
    std::fflush(nullptr);
    _exit(status == 0 ? 0 : 1);
  }
  Counts total;
  for (const Job& job : all) {
    int status = 0;
    waitpid(job.process, &status, 0);
    print(job.output);
    if (!WIFEXITED(status))
      std::cout << "A process of the tests was ended by signal " << WTERMSIG(status) << ".\n";
    total.passed += job.counts->passed;
    total.failed += job.counts->failed;
    if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0) && job.counts->failed == 0) ++total.failed;
    total.skipped += job.counts->skipped;
    total.assertions += job.counts->assertions;
    total.wrong += job.counts->wrong;
  }
  // Every test ran once, or something is wrong with the sharing.
  if (const std::size_t ran = total.passed + total.failed; ran < tests.size()) {
    std::cout << tests.size() - ran << " tests did not run.\n";
    total.failed += tests.size() - ran;
  }
  std::cout << std::string(79, '=') << '\n';
  if (total.failed == 0)
    std::cout << "All tests passed (" << total.assertions << " assertions in " << tests.size()
              << " test cases)\n\n";
  else
    std::cout << "test cases: " << tests.size() << " | " << total.passed << " passed | "
              << total.failed << " failed\nassertions: " << total.assertions << " | " << total.wrong
              << " failed\n\n";
  Count::here = total;
  return total.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "C.UTF-8");
  Catch::Session session;
  std::size_t jobs = 1;
  session.cli(session.cli() |
              Opt(jobs, "number")["--jobs"]("share the tests among this many processes"));
  int status = session.applyCommandLine(argc, argv);
  if (status != 0) return status;
  const auto& asked = session.configData();
  if (jobs > 1 && !(asked.listTests || asked.listTags || asked.listReporters || lists_more(asked) ||
                    asked.showHelp))
    status = run_shared(session, jobs);
  else status = session.run();
  const Counts& counts = Count::here;
  if (counts.passed + counts.failed > 0)
    std::cout << counts.passed << " passed, " << counts.failed << " failed, " << counts.skipped
              << " skipped" << std::endl;
  return status;
}
