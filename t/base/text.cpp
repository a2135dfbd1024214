// SPDX-License-Identifier: MIT
// Lists in sentences, and times in saves.
#include "base/text.hpp"

#include <clocale>

#include "base/clock.hpp"
#include "base/markdown.hpp"

#include "support.hpp"

using namespace pbm;

namespace {
using Words = std::vector<std::string>;
}  // namespace

TEST_CASE("a list ends in or, or in and", "[text]") {
  CHECK(join_with_or(Words{}) == "");
  CHECK(join_with_or(Words{"A"}) == "A");
  CHECK(join_with_or(Words{"A", "B"}) == "A or B");
  CHECK(join_with_or(Words{"A", "B", "C"}) == "A, B or C");
  CHECK(join_with_and(Words{}) == "");
  CHECK(join_with_and(Words{"A"}) == "A");
  CHECK(join_with_and(Words{"A", "B"}) == "A and B");
  CHECK(join_with_and(Words{"A", "B", "C"}) == "A, B and C");
}

TEST_CASE("parts are joined by a text between them, empty parts too", "[text]") {
  CHECK(join(Words{}) == "");
  CHECK(join(Words{"A", "", "B"}) == "A  B");
  CHECK(join(Words{"", "A"}, ", ") == ", A");
}

TEST_CASE("a text keeps the beginning that another one has in any case", "[text]") {
  for (const auto& [other, kept] : {std::pair("FREDERIC", "fred"), {"frank", "fr"}, {"", ""}}) {
    std::string text = "fred";
    keep_common_beginning(text, other);
    CHECK(text == kept);
  }
}

TEST_CASE("a list too long for a sentence counts what it leaves out", "[text]") {
  CHECK(join_with_or(Words{}, 3) == "");
  CHECK(join_with_or(Words{"A"}, 3) == "A");
  CHECK(join_with_or(Words{"A", "B", "C"}, 3) == "A, B or C");
  CHECK(join_with_or(Words{"A", "B", "C", "D"}, 3) == "A, B or 2 others");
  CHECK(join_with_or(Words{"A", "B", "C", "D", "E"}, 3) == "A, B or 3 others");
  CHECK(join_with_or(Words{"A", "B", "C"}, 2) == "A or 2 others");
}

TEST_CASE("a word that is nearly one of some is taken for that one", "[text]") {
  const std::vector<std::string> known{"toot", "flooprail", "new", "analyse"};
  const auto meant = [&](const std::string& typed) { return suggest_word(typed, known, "none"); };
  for (const char* typed : {"toto", "tot", "toott", "txot", "TOO", "otot"})
    CHECK(meant(typed) == "Did you mean toot?");
  for (const char* typed : {"floprial", "floo", "FLOOPRAIL"})
    CHECK(meant(typed) == "Did you mean flooprail?");
  CHECK(meant("nwe") == "Did you mean new?");
  CHECK(meant("anal") == "Did you mean analyse?");
  for (const std::string& typed : {std::string(""), std::string("to"), std::string("halma"),
                                   std::string("tttt"), std::string(5000, 't')})
    CHECK(meant(typed) == "none");
  CHECK(suggest_word("x", {}, "none") == "none");
}

TEST_CASE("a whole number is digits and nothing else", "[text]") {
  CHECK(read_whole_number<int>("0") == 0);
  CHECK(read_whole_number<int>("0042") == 42);
  CHECK(read_whole_number<int>("2147483647") == 2147483647);
  CHECK(read_whole_number<std::size_t>("2147483648") == 2147483648);
  for (const char* text : {"", "-1", "-0", "+1", " 1", "1 ", "1.", "0x1", "x", "-", "2147483648",
                           "99999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(read_whole_number<int>(text));
  }
}

TEST_CASE("what may be kept as a line of text is the same in every locale", "[text]") {
  const char* const locale = GENERATE("C", "C.UTF-8");
  const std::string before = std::setlocale(LC_ALL, nullptr);
  REQUIRE(std::setlocale(LC_ALL, locale));
  for (const char* fine : {"", "plain", "sch\u00F6n gespielt", "scho\u0308n", "\u6F22\u5B57",
                           "a\u0308\u0304", "\U0001F642", "\u0E1B\u0E35\u0E48"}) {
    INFO(fine);
    CHECK(is_text_line(fine));
  }
  for (const char* not_fine :
       {"a\nb", "a\tb", "\x1b[2J", "\x7f", "\u0085", "\u009B2J", "\xff", "\xC3", "\xED\xA0\x80",
        "a\u200Bb", "\u202Ex", "\uFEFFx", "\u0301", "x\u0301\u0302\u0303"}) {
    INFO(not_fine);
    CHECK_FALSE(is_text_line(not_fine));
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("a moment of any year is read back as it was written", "[text]") {
  for (const char* text :
       {"0000-01-01T00:00:00Z", "0026-11-03T09:00:40Z", "0999-12-31T23:59:59Z",
        "1677-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
        "2026-11-21T11:35:10Z", "2263-01-01T00:00:01Z", "9999-12-31T23:59:59Z"}) {
    INFO(text);
    const auto time = read_iso_time(text);
    REQUIRE(time);
    CHECK(iso_time(*time) == text);
    CHECK(!short_time(*time, *read_iso_time("2026-11-21T00:00:00Z")).empty() == (*time != Time{}));
  }
}

TEST_CASE("a full local time reads back, and nothing else does", "[text]") {
  const Time time = *read_iso_time("2026-11-21T14:05:00Z");
  CHECK(read_long_time(long_time(time)) == time);
  for (const char* wrong :
       {"", "2026-11-21", "2026-13-21 14:05", "2026-11-21 14:05x", "2026-2-30 1:1"})
    CHECK_FALSE(read_long_time(wrong));
}

TEST_CASE("text is cut and filled to columns, not to bytes", "[text]") {
  const std::string kanji = "\u6F22\u5B57";  // two columns each
  CHECK(fit("abc", 3) == "abc");
  CHECK(fit("abcd", 3) == "ab~");
  CHECK(fit("abcd", 1) == "~");
  CHECK(fit("abcd", 0) == "");
  CHECK(fit("abcd", -1) == "");
  CHECK(fit("a\x1b[2J", 9) == "a?[2J");
  CHECK(fit(kanji, 4) == kanji);
  CHECK(fit(kanji, 3) == "\u6F22~");
  CHECK(fit(kanji, 2) == "~");
  CHECK(pad("ab", 4) == "ab  ");
  CHECK(pad("", 2) == "  ");
  CHECK(pad("abcde", 4) == "abc~");
  CHECK(pad(kanji, 3) == "\u6F22~");
  CHECK(pad(kanji, 2) == "~ ");
  CHECK(pad("x\u0308", 2) == "x\u0308 ");
}

TEST_CASE("text is wrapped at blanks, and a word that is too wide is cut between characters",
          "[text]") {
  CHECK(wrap("", 5) == Words{});
  CHECK(wrap("  ", 5) == Words{});
  CHECK(wrap("one", 0) == Words{});
  CHECK(wrap(" one  two\nthree ", 7) == Words{"one two", "three"});
  CHECK(wrap("one two", 6) == Words{"one", "two"});
  CHECK(wrap("a abcdefg b", 3) == Words{"a", "abc", "def", "g b"});
  CHECK(wrap("\u6F22\u5B57", 3) == Words{"\u6F22", "\u5B57"});
  CHECK(wrap("\u6F22\u5B57 x", 1) == Words{"\u6F22", "\u5B57", "x"});
  CHECK(utf8_prefix("a\u00FC\u6F22", 6) == "a\u00FC\u6F22");
  CHECK(utf8_prefix("a\u00FC\u6F22", 5) == "a\u00FC");
  CHECK(utf8_prefix("a\u00FC\u6F22", 2) == "a");
  CHECK(utf8_prefix("\u6F22", 0) == "");
}

TEST_CASE("markdown that says nothing is laid out as nothing", "[text]") {
  const auto laid = [](std::string_view text) {
    Words out;
    for (const TextLine& line : format_markdown(text, 40)) out.push_back(line.text);
    return out;
  };
  CHECK(laid("\n: meaning\n") == Words{": meaning"});
  CHECK(laid("text\n\n: meaning\n") == Words{"text", "", ": meaning"});
  CHECK(laid("#\n") == Words{});
  CHECK(laid("a\n###\nb\n") == Words{"a", "", "b"});
  CHECK(laid("\n\n") == Words{});
  CHECK(laid("term\n: \n") == Words{});
}
