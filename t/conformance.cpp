// SPDX-License-Identifier: MIT
// Tests what game.hpp requires of every game, on random games of every variant with a fixed seed. A
// new game in the table is tested without a change here.
#include <algorithm>
#include <map>
#include <set>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

constexpr unsigned kSeed = 20261121;
constexpr int kGames = 12;           // random games for each setup
constexpr std::size_t kPlies = 120;  // at most, in each game

// Returns a random member of `legal`. Pre: it is not empty.
std::string random_ply(const std::vector<std::string>& legal, std::mt19937& random) {
  return legal[random_below(random, legal.size())];
}

std::string randomize_case(std::string text, std::mt19937& random) {
  for (char& c : text) c = random_below(random, 2) ? upper(c) : lower(c);
  return text;
}

// Calls `visit(position, legal)` for every position of seeded random games of `setup`.
template <class F>
void visit_random_games(const Setup& setup, F visit) {
  std::mt19937 random(kSeed);
  for (int game = 0; game < kGames; ++game) {
    Position position = setup.start();
    std::string played;
    for (std::size_t ply = 0; ply < kPlies; ++ply) {
      const auto legal = position.legal_plies();
      INFO(setup.name << ", seed " << kSeed << ", game " << game << ", after" << played);
      visit(position, legal, random);
      if (legal.empty()) break;
      const std::string next = random_ply(legal, random);
      played += " " + next;
      position.play(next);
    }
  }
}

// Returns a text with a byte changed, removed or added, or the text twice.
std::string mutate_ply(std::string text, std::mt19937& random) {
  static const std::string bytes = "abehotTO0123456789-kdrnsw \t\x01\x1b\x7f\xc3\xff|<";
  const char byte = bytes[random_below(random, bytes.size())];
  const std::size_t at = random_below(random, text.size() + 1);
  switch (random_below(random, 4)) {
    case 0: text.insert(at, 1, byte); break;
    case 1:
      if (at < text.size()) text[at] = byte;
      break;
    case 2:
      if (at < text.size()) text.erase(at, 1);
      break;
    default: text += text; break;
  }
  return text;
}

bool is_sentence(const std::string& s) {
  return s.size() > 3 && (s.back() == '.' || s.back() == '?') && !is_digit(s.front()) &&
         s == safe_text(s);
}

}  // namespace

TEST_CASE("every game has moves exactly until it is over, sorted and each once", "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937&) {
          REQUIRE(legal.empty() == p.outcome().has_value());
          REQUIRE(std::is_sorted(legal.begin(), legal.end()));
          REQUIRE(std::adjacent_find(legal.begin(), legal.end()) == legal.end());
          if (!p.outcome()) {
            REQUIRE(p.to_move() >= 0);
            REQUIRE(p.to_move() < setup.seats);
          } else {
            REQUIRE_FALSE(p.outcome()->reason.empty());
            REQUIRE(p.outcome()->winner.value_or(0) < setup.seats);
            REQUIRE(p.parse("").refusal().reason.starts_with("The game is over. "));
          }
        });
}

TEST_CASE("every legal move is read back as itself in any letter case and with blanks around",
          "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937& random) {
          for (std::size_t i = 0; i < std::min<std::size_t>(legal.size(), 40); ++i) {
            const std::string& ply = legal.size() <= 40 ? legal[i] : random_ply(legal, random);
            for (const std::string& typed : {ply, randomize_case(ply, random), "  " + ply + "\t"}) {
              const auto read = p.parse(typed);
              INFO("typed '" << typed << "'" << (read ? "" : ": " + read.refusal().reason));
              REQUIRE(read.ok());
              REQUIRE(*read == ply);
            }
          }
        });
}

TEST_CASE("every accepted spelling stands for one legal move", "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937& random) {
          const auto spellings = p.spellings();
          REQUIRE(spellings.size() >= legal.size());
          for (std::size_t i = 0; i < std::min<std::size_t>(spellings.size(), 10); ++i) {
            const auto& s = spellings[random_below(random, spellings.size())];
            INFO("typed '" << s.text << "'");
            const auto read = p.parse(s.text);
            REQUIRE(read.ok());
            REQUIRE(*read == s.ply);
            REQUIRE(std::binary_search(legal.begin(), legal.end(), s.ply));
          }
        });
}

TEST_CASE("every legal move is itself whatever stands between its letters and digits",
          "[conformance]") {
  static const std::vector<std::string> between{" ",   "-",      ".",      ":",      ",",     "  ",
                                                " - ", "\u2013", "\u2014", "\u2212", "\u00A0"};
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937& random) {
          const auto spellings = p.spellings();
          const bool has_x = std::any_of(spellings.begin(), spellings.end(), [](const auto& s) {
            return s.text.find('x') != std::string::npos;
          });
          for (std::size_t i = 0; i < std::min<std::size_t>(legal.size(), 12); ++i) {
            const std::string& ply = legal.size() <= 12 ? legal[i] : random_ply(legal, random);
            std::string bare, noisy, zeroed, crossed = ply;
            for (const char c : ply)
              if (c != '-') bare += c;
            for (std::size_t n = 0; n < bare.size(); ++n) {
              if (n > 0 && random_below(random, 3) > 0)
                noisy += between[random_below(random, between.size())];
              noisy += bare[n];
              zeroed += lower(bare[n]) == 'o' ? '0' : bare[n];
            }
            std::vector<std::string> tries{bare, randomize_case(noisy, random), zeroed};
            if (!has_x) {
              std::replace(crossed.begin(), crossed.end(), '-', 'x');
              tries.push_back(crossed);
            }
            for (const std::string& typed : tries) {
              const auto read = p.parse(typed);
              INFO("typed '" << typed << "'" << (read ? "" : ": " + read.refusal().reason));
              REQUIRE(read.ok());
              REQUIRE(*read == ply);
            }
          }
        });
}

TEST_CASE("the ends of a chain are it where no other one has them, and nothing else is guessed",
          "[conformance]") {
  std::size_t alone = 0, doubtful = 0;
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937&) {
          std::map<std::string, std::vector<std::string>> chains;
          for (const std::string& ply : legal)
            if (ply.find('-') != ply.rfind('-'))
              chains[ply.substr(0, ply.find('-')) + ply.substr(ply.rfind('-'))].push_back(ply);
          for (const auto& [ends, plies] : chains) {
            if (std::binary_search(legal.begin(), legal.end(), ends)) continue;
            const auto read = p.parse(ends);
            INFO("typed '" << ends << "'");
            REQUIRE(read.ok() == (plies.size() == 1));
            if (read) REQUIRE(*read == plies.front());
            ++(read ? alone : doubtful);
          }
        });
  if (std::getenv("PBM_GAME")) return;  // a single game may have no chains
  CHECK(alone > 0);
  CHECK(doubtful > 0);
}

TEST_CASE("what is not a legal move is refused with a sentence and an offset inside the text",
          "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(setup, [&](const Position& p, const std::vector<std::string>& legal,
                                  std::mt19937& random) {
      std::vector<std::string> tries{"",  " ",  "?", "\x1b[2J", "resign", std::string(5000, 'a'),
                                     "-", "a-", "1", "\xff\xfe"};
      for (int i = 0; i < 12 && !legal.empty(); ++i)
        tries.push_back(mutate_ply(random_ply(legal, random), random));
      for (const std::string& typed : tries) {
        const auto read = p.parse(typed);
        INFO("typed '" << typed << "'" << (read ? " gave " + *read : ": " + read.refusal().reason));
        if (read) {
          REQUIRE(std::binary_search(legal.begin(), legal.end(), *read));
        } else {
          REQUIRE(is_sentence(read.refusal().reason));
          REQUIRE(read.refusal().offset <= typed.size());
        }
      }
    });
}

TEST_CASE("copies of a position are independent and equal until one is played on",
          "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937& random) {
          const std::string before = drawing_text(p);
          Position copy = p;
          REQUIRE(copy == p);
          if (legal.empty()) return;
          copy.play(random_ply(legal, random));
          REQUIRE(drawing_text(p) == before);
          REQUIRE(p.legal_plies() == legal);
          REQUIRE_FALSE(copy == p);
        });
}

// Returns every view of a game.
static std::vector<View> all_views(const GameType& game) {
  std::vector<View> out;
  for (const char field :
       game.drawing_styles.empty() ? std::string("a") : std::string(game.drawing_styles))
    for (const int scale : {1, 2})
      for (const bool turned : {false, true})
        if (game.can_turn || !turned) out.push_back({field, false, scale, turned});
  return out;
}

TEST_CASE("a drawing that is turned or enlarged has every sign and word in its place",
          "[conformance]") {
  struct Seen {
    std::map<SpotId, const Spot*> spots;
    // For each word: its text, the squares in its row, and the squares as wide in its column.
    std::multiset<std::tuple<std::string, std::set<SpotId>, std::set<SpotId>>> words;
  };
  const auto text = [](const Drawing& d, const auto& word) {
    const std::string& row = d.rows[static_cast<std::size_t>(word.row)];
    const auto at = static_cast<std::size_t>(word.column);
    return at < row.size() ? std::string(trim(row.substr(at, static_cast<std::size_t>(word.width))))
                           : "";
  };
  const auto seen = [&](const Drawing& d) {
    Seen out;
    for (const Spot& s : d.spots) out.spots[s.id] = &s;
    for (const Label& l : d.labels) {
      std::set<SpotId> beside, below;
      bool frame = false;
      for (const Spot& s : d.spots) {
        if (s.row == l.row) beside.insert(s.id);
        if (s.column == l.column && s.width == l.width) below.insert(s.id);
        // Letters of a word on the frame count only between the frame's squares.
        frame = frame || (s.row == l.row && s.role == SpotRole::board);
      }
      if (!frame) out.words.emplace(text(d, l), beside, below);
    }
    return out;
  };
  const auto order = [](int a, int b) { return (a > b) - (a < b); };
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>&, std::mt19937&) {
          for (const View& view : all_views(*setup.game)) {
            const Drawing usual = p.draw({view.drawing_style}), other = p.draw(view);
            const Seen here = seen(usual), there = seen(other);
            REQUIRE(there.words == here.words);
            REQUIRE(there.spots.size() == here.spots.size());
            const int way = view.is_turned ? -1 : 1;
            const Spot* last = nullptr;
            for (const Spot& s : usual.spots) {
              const Spot& t = *there.spots.at(s.id);
              if (s.role != SpotRole::board) REQUIRE(text(other, t) == text(usual, s));
              REQUIRE(std::pair(t.name, t.content) == std::pair(s.name, s.content));
              if (last) {
                const Spot& before = *there.spots.at(last->id);
                REQUIRE(order(t.row, before.row) == way * order(s.row, last->row));
                REQUIRE(order(t.column, before.column) == way * order(s.column, last->column));
              }
              last = &s;
            }
          }
        });
}

TEST_CASE("drawings are ASCII without trailing blanks and hold their spots", "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(setup, [&](const Position& p, const std::vector<std::string>&,
                                  std::mt19937&) {
      for (const View& view : all_views(*setup.game)) {
        const Drawing d = p.draw(view);
        REQUIRE_FALSE(d.rows.empty());
        for (const std::string& row : d.rows) {
          REQUIRE((row.empty() || row.back() != ' '));
          REQUIRE(std::all_of(row.begin(), row.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
        }
        std::set<SpotId> ids;
        for (const Spot& s : d.spots) {
          REQUIRE(ids.insert(s.id).second);
          REQUIRE(s.row >= 0);
          REQUIRE(s.row < static_cast<int>(d.rows.size()));
          REQUIRE(s.column >= 0);
          REQUIRE(s.width > 0);
          // A blank square at the end of a row may have no character.
          REQUIRE((s.content.empty() ||
                   s.column + s.width <=
                       static_cast<int>(d.rows[static_cast<std::size_t>(s.row)].size())));
        }
      }
    });
}

TEST_CASE("trails lead over spots of the drawing, and what a move touched is drawn after it",
          "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(
        setup, [&](const Position& p, const std::vector<std::string>& legal, std::mt19937& random) {
          if (legal.empty()) return;
          const auto ids = [](const Drawing& d) {
            std::set<SpotId> out;
            for (const Spot& s : d.spots) out.insert(s.id);
            return out;
          };
          const std::string ply = random_ply(legal, random);
          INFO("move " << ply);
          const auto now = ids(p.draw({}));
          for (const SpotId id : p.selected_spots(ply)) REQUIRE(now.count(id) == 1);
          if (legal.size() > 1) REQUIRE_FALSE(p.selected_spots(ply).empty());
          Position next = p;
          next.play(ply);
          const auto then = ids(next.draw({}));
          for (const SpotId id : p.changed_spots(ply)) REQUIRE(then.count(id) == 1);
          if (const auto outcome = next.outcome())
            for (const SpotId id : outcome->spots) REQUIRE(then.count(id) == 1);
          REQUIRE_FALSE(p.describe(ply).empty());
        });
}

TEST_CASE("words for a position are there for whoever cannot see the drawing", "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(setup,
                       [&](const Position& p, const std::vector<std::string>&, std::mt19937&) {
                         REQUIRE_FALSE(p.description_lines().empty());
                         for (const std::string& line : p.description_lines())
                           REQUIRE(is_sentence(line));
                         for (Seat s = 0; s < setup.seats; ++s)
                           REQUIRE_FALSE(p.side_name(s).empty());
                       });
}

TEST_CASE("a drawing's labels are its letters and digits that are no spot's", "[conformance]") {
  for (const Setup& setup : all_setups())
    visit_random_games(setup, [&](const Position& p, const auto&, std::mt19937&) {
      for (const char field : setup.game->drawing_styles.empty()
                                  ? std::string("a")
                                  : std::string(setup.game->drawing_styles)) {
        const Drawing d = p.draw({field, false});
        std::set<std::pair<int, int>> spots, labels, wanted;
        for (const Spot& s : d.spots)
          for (int i = 0; i < s.width; ++i) spots.insert({s.row, s.column + i});
        for (const Label& l : d.labels)
          for (int i = 0; i < l.width; ++i) REQUIRE(labels.insert({l.row, l.column + i}).second);
        for (int row = 0; row < static_cast<int>(d.rows.size()); ++row)
          for (int c = 0; c < static_cast<int>(d.rows[static_cast<std::size_t>(row)].size()); ++c)
            if (std::isalnum(static_cast<unsigned char>(
                    d.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(c)])) &&
                !spots.count({row, c}))
              wanted.insert({row, c});
        REQUIRE(labels == wanted);
      }
    });
  const auto labels = [](const char* game) {
    const Drawing d = make_setup(game, {}).start().draw({});
    std::string out;
    for (const Label& l : d.labels)
      out += d.rows[static_cast<std::size_t>(l.row)].substr(static_cast<std::size_t>(l.column),
                                                            static_cast<std::size_t>(l.width)) +
             " ";
    return out;
  };
  if (std::getenv("PBM_GAME")) return;
  CHECK(labels("toot") == "A B C D E F ");
  CHECK(labels("flooprail") == "A B C D E F G H 1 2 3 4 5 6 7 ");
  CHECK(labels("chaos") == "1 2 3 4 5 a b c d e ");
  CHECK(labels("plotto") == "");
}

TEST_CASE("perft counts what playing every legal move counts", "[conformance]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    const Position start = setup.start();
    std::uint64_t one = 0, two = 0, three = 0;
    for (const std::string& a : start.legal_plies()) {
      ++one;
      Position after_a = start;
      after_a.play(a);
      for (const std::string& b : after_a.legal_plies()) {
        ++two;
        if (three > 20000) continue;
        Position after_b = after_a;
        after_b.play(b);
        three += after_b.legal_plies().size();
      }
    }
    REQUIRE(setup.game->perft(setup.options, setup.seats, 1) == one);
    REQUIRE(setup.game->perft(setup.options, setup.seats, 2) == two);
    if (three <= 20000) REQUIRE(setup.game->perft(setup.options, setup.seats, 3) == three);
  }
}
