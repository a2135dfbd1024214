// SPDX-License-Identifier: MIT
// Conditional plies: as a tree, and on a server.
#include <fstream>

#include "catch.hpp"
#include "protocol/answer_tree.hpp"
#include "test_server.hpp"

namespace pbm::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Returns a match of Toot after these plies, in which fred has the first seat.
Match make_toot_match(const std::vector<const char*>& plies = {}) {
  const GameType& game = *find_game("toot");
  Match m = *Match::start(game, *read_options(game, {}), std::vector<std::string>{"fred", "wilma"},
                          Time{});
  for (const char* ply : plies) m.add(*m.validate(*m.to_move(), ply, Time{}));
  return m;
}

std::string read_tree(const std::string& text, const Match& m = make_toot_match(), Seat seat = 1) {
  const auto tree = AnswerTree::read(text, m, seat);
  return tree ? tree->to_string()
              : std::to_string(tree.refusal().offset) + ": " + tree.refusal().reason;
}

std::string next_answer(const std::string& tree, const std::vector<std::string>& plies) {
  const auto next = AnswerTree::read(tree)->find_answer(plies);
  return next ? next->ply + " | " + next->answers.to_string() : next.refusal().reason;
}

}  // namespace

TEST_CASE("answers are read as they are written, and have the game's spelling", "[answers]") {
  CHECK(read_tree("CO:DT BO:AT.CT *:DO") == "CO:DT BO:AT.*:CT *:DO");
  CHECK(read_tree("co:dt   bo:at.ct:dt") == "CO:DT BO:AT.CT:DT");
  CHECK(read_tree("DO CO:DT") == "CO:DT *:DO");
  // Lines with the same beginning are merged, and the star is last.
  CHECK(read_tree("*:DO CO:DT.BT:AT co:DT.AT:BT CO:DT") == "CO:DT.BT:AT CO:DT.AT:BT *:DO");
  CHECK(AnswerTree::read("CO:DT.BT:AT CO:DT.AT:BT *:DO")->format_lines() ==
        std::vector<std::string>{"CO: DT", "  BT: AT", "  AT: BT", "any other: DO"});
  CHECK(AnswerTree::read("DO")->format_lines() == std::vector<std::string>{"any: DO"});
}

TEST_CASE("what cannot be is refused with its place", "[answers]") {
  CHECK(read_tree("CO:DT BO:ZT").substr(0, 3) == "9: ");
  CHECK(read_tree("CO:DT ZO:AT").substr(0, 3) == "6: ");
  CHECK(read_tree("CO:DT.BO:AX").substr(0, 4) == "10: ");
  CHECK(read_tree("CO:DT CO:BT") == "9: CO already has the answer DT.");
  CHECK(read_tree("CO:DT *:AO AT") == "11: Any other move already has the answer AO.");
  CHECK(read_tree("CO:resign") == "3: resign cannot be queued as an answer. Only moves can.");
  CHECK(read_tree("propose:DT") == "0: propose cannot be queued as an answer. Only moves can.");
  CHECK(read_tree("CO:DT:BO") == "5: To continue after an answer, write a dot: CO:DT.AO:BT.");
  CHECK(read_tree("CO:DT#4") == "5: Leave out the number: moves in a tree of answers have none.");
  CHECK(read_tree("CO:") == "3: A move is missing here.");
  CHECK(read_tree(":DT") == "0: A move is missing before the colon. Write it, or * for any move.");
  CHECK(read_tree("CO:DT.") == "6: A move is missing here.");
  CHECK(read_tree("CO:*") == "3: * is not an answer. Write a move.");
  CHECK(read_tree("CO:DT", make_toot_match(), 0) ==
        "0: It is your turn. Write your move and a dot before each answer, as BT.CO:DT.");
  std::string many;
  for (int i = 0; i < 31; ++i) many += " *:AT";
  CHECK(has(read_tree(many), "A tree of answers has at most 60 moves."));
  // Column A is full, so the answer AT is illegal after every ply.
  Match m = make_toot_match({"AT", "AO", "AT", "AO"});
  CHECK(has(read_tree("*:AT.*:AT", m), ": "));
  // Games for more than two players refuse trees.
  const GameType& plotto = *find_game("plotto");
  const Match three = *Match::start(plotto, *read_options(plotto, {}),
                                    std::vector<std::string>{"a", "b", "c"}, Time{});
  CHECK(read_tree("x:y", three) ==
        "0: Answers to moves are for two players. With more, queue a single move.");
}

TEST_CASE("a tree answers what was played, and goes on behind it", "[answers]") {
  const std::string tree = "CO:DT BO:AT.CT:DT BO:AT.*:CO *:DO";
  CHECK(next_answer(tree, {"CO"}) == "DT | ");
  CHECK(next_answer(tree, {"BO"}) == "AT | CT:DT *:CO");
  CHECK(next_answer(tree, {"AO"}) == "DO | ");
  CHECK(next_answer("CO:DT", {"AO"}) == "You queued no answer to AO.");
  // After a crash the player's own plies may be among the played ones.
  CHECK(next_answer(tree, {"BO", "AT", "CT"}) == "DT | ");
  CHECK(next_answer(tree, {"BO", "AT", "BT"}) == "CO | ");
  CHECK(next_answer(tree, {"BO", "BT", "CT"}) == "You have played a different move since then.");
  CHECK(next_answer(tree, {}) == "No move was played since you queued that.");
  AnswerTree answers = *AnswerTree::read(tree);
  answers.add_line({"AO", "BT"});
  CHECK(answers.to_string() == "CO:DT BO:AT.CT:DT BO:AT.*:CO AO:BT *:DO");
  answers.add_line({"BO", "CT", "AO", "BT"});
  CHECK(answers.to_string() == "CO:DT BO:CT.AO:BT AO:BT *:DO");
}

TEST_CASE("answers are played at once, and their owner alone sees them", "[answers][session]") {
  ServerPair p;
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma * CO:DT bt:at.ct *:DO") ==
        "+OK CO:DT BT:AT.*:CT *:DO is queued on toot 101. Each answer is played at once.");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") ==
        "+OK Queued on toot 101: CO:DT BT:AT.*:CT *:DO.");
  CHECK(has(p.wilma.say("toot info 101"), "queued: "));
  CHECK_FALSE(has(p.fred.say("toot info 101"), "queued"));
  CHECK(has(p.fred.say("toot move 101 fred * BT"), "+OK Move 1"));
  CHECK(p.fred.take_received().empty());
  CHECK(has(p.wilma.take_received(), "* toot 101 ply 1 fred BT\n"));
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK Queued on toot 101: *:CT.");
  p.server.restart();
  User fred(p.server, "fred"), wilma(p.server, "wilma");
  CHECK(wilma.first_reply_line("toot queue 101 wilma *") == "+OK Queued on toot 101: *:CT.");
  fred.say("toot move 101 fred * ET");
  const std::string shown = fred.say("toot show 101");
  CHECK(has(shown, "Played from the queue: 2 AT, 4 CT"));
  CHECK(wilma.first_reply_line("toot queue 101 wilma *") == "+OK No move is queued on toot 101.");
}

TEST_CASE("where both have answers they are played one after the other", "[answers][session]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  CHECK(has(p.fred.first_reply_line("toot queue 101 fred * CO:DT.AO:ET BO:AT"), "+OK"));
  // On the player's own turn a tree begins with the ply to play.
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma * DT:AO") ==
        "-ERR At character 1 of DT:AO: It is your turn. Write your move and a dot before each "
        "answer, as BT.CO:DT.");
  p.wilma.take_received();
  p.wilma.say("toot move 101 wilma * CO");
  CHECK(p.fred.first_reply_line("toot queue 101 fred *") == "+OK Queued on toot 101: AO:ET.");
  p.fred.say("toot queue 101 fred * none");
  // fred has answered and it is wilma's turn: both queue a tree.
  CHECK(has(p.fred.first_reply_line("toot queue 101 fred * AO:ET.BO:CT"), "+OK"));
  p.wilma.say("toot move 101 wilma * AO");
  CHECK(has(p.wilma.say("toot show 101"), "Played from the queue: 3 DT, 5 ET"));
  CHECK(has(p.fred.first_reply_line("toot queue 101 fred *"), "BO:CT"));
  p.fred.take_received();
  p.wilma.say("toot move 101 wilma * CO");
  CHECK(has(p.fred.take_received(),
            "* toot 101 dropped BO:CT : You queued no answer to CO.\n"
            "* toot 101 turn 7\n"));
  CHECK(p.fred.first_reply_line("toot queue 101 fred *") == "+OK No move is queued on toot 101.");
}

TEST_CASE("a move may be played with what answers its answer", "[answers][session]") {
  ServerPair p;
  CHECK(has(p.wilma.first_reply_line("toot queue 101 wilma * BT:CO.DT:AO.ET:BO"), "+OK"));
  for (const char* wrong :
       {"BT.CO:DX", "BT.ZO:DT", "BX.CO:DT", "CO:DT", "BT.CO:DT DT.CO:AO", "resign.CO:DT"}) {
    CAPTURE(wrong);
    CHECK(has(p.fred.first_reply_line(std::string("toot queue 101 fred * ") + wrong),
              "-ERR At character "));
    CHECK(p.fred.first_reply_line("toot queue 101 fred *") == "+OK No move is queued on toot 101.");
  }
  // Both trees play by turns while they have an answer.
  CHECK(
      has(p.fred.first_reply_line("toot queue 101 fred * BT.CO:DT.AO:ET BT.AO:CT"), "+OK Move 1"));
  CHECK(has(p.fred.say("toot show 101"), "Played from the queue: 2 CO, 3 DT, 4 AO, 5 ET, 6 BO"));
  CHECK(p.fred.first_reply_line("toot queue 101 fred *") == "+OK No move is queued on toot 101.");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK No move is queued on toot 101.");
}

TEST_CASE("a move that is taken back takes the answers with it", "[answers][session]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  CHECK(has(p.fred.first_reply_line("toot queue 101 fred * CO:DT"), "+OK"));
  p.fred.say("toot move 101 fred * undo");
  p.wilma.say("toot move 101 wilma * accept");
  CHECK(has(p.fred.take_received(), "* toot 101 dropped CO:DT : The board has changed"));
  CHECK(has(p.fred.say("toot show 101"), "It is fred's turn"));
}

}  // namespace pbm::test
