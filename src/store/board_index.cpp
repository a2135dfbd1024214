// SPDX-License-Identifier: MIT
// The file of summaries that spares the server the reading of all boards when it starts. It may be
// old or gone: what it says of a save that has changed since does not count.
#include "base/files.hpp"
#include "base/version.hpp"
#include "store/board_store.hpp"
#include "store/records.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace {

constexpr std::string_view kFile = "index.yaml";

// Whoever else reads saves by other rules makes other summaries.
std::string head() {
  return records_head(
      "Summaries of the boards by pbmplay " + std::string(kVersion) +
      ", what is offered there and how much time there is; made anew when this is missing.");
}

std::size_t number_of(Time t) { return static_cast<std::size_t>(t.time_since_epoch().count()); }

}  // namespace

void BoardStore::write_index() {
  std::string text = head();
  for (const GameType& game : all_games())
    for (const auto& [number, info] : table_.of(game)) {
      if (!info.broken.empty() || held(info.key)) continue;
      Record r;
      r.put("board", info.key.id()).put("inode", info.stamp.inode).put("size", info.stamp.size);
      r.put("stamp", static_cast<std::size_t>(info.stamp.changed))
          .put("plies", info.plies)
          .put("entries", info.entries)
          .put("changed", number_of(info.changed));
      if (!info.challenger.empty()) r.put("challenger", info.challenger);
      if (info.to_move) r.put("turn", static_cast<std::size_t>(*info.to_move) + 1);
      if (info.winner) r.put("winner", static_cast<std::size_t>(*info.winner) + 1);
      if (info.offer) {
        std::vector<std::string> seats;
        for (const Seat seat : info.offer->answering) seats.push_back(std::to_string(seat + 1));
        r.put("offer", info.offer->draw ? "draw" : "undo")
            .put("by", static_cast<std::size_t>(info.offer->by) + 1)
            .put_list("answering", seats);
      }
      if (info.running) {
        const auto& [limits, since, used] = *info.running;
        r.put("since", number_of(since)).put("used", static_cast<std::size_t>(used.count()));
        if (limits.nag) r.put("nag", static_cast<std::size_t>(*limits.nag));
        if (limits.forfeit) r.put("forfeit", static_cast<std::size_t>(*limits.forfeit));
        if (limits.total) r.put("total", static_cast<std::size_t>(*limits.total));
      }
      text += r.put_list("option", info.options).put_list("seat", info.names).line();
    }
  replace_file(directory_ / kServerFiles / kFile, text);
  index_is_old_ = false;
}

void BoardStore::read_index() {
  const auto take = [this](const Record& r) {
    const auto key = read_board_id(r.get("board"));
    if (!key) return;
    StoredBoard info;
    info.id = key->id();
    info.game = key->game;
    info.key = *key;
    info.stamp = {r.number("inode"), r.number("size"),
                  static_cast<std::int64_t>(r.number("stamp"))};
    info.plies = r.number("plies");
    info.entries = r.number("entries");
    info.changed = Time(std::chrono::seconds(r.number("changed")));
    info.challenger = r.get("challenger");
    info.names = r.list("seat");
    info.options = r.list("option");
    const auto seat = [&](const char* what) -> std::optional<Seat> {
      const std::size_t n = r.number(what);
      return n == 0 || n > info.names.size() ? std::nullopt
                                             : std::optional(static_cast<Seat>(n - 1));
    };
    info.to_move = seat("turn");
    info.winner = seat("winner");
    if (const auto by = seat("by")) {
      info.offer = BoardSummary::Offer{r.get("offer") == "draw", *by, {}};
      for (const std::string& text : r.list("answering"))
        if (const auto n = read_whole_number<std::size_t>(text);
            n && *n >= 1 && *n <= info.names.size())
          info.offer->answering.push_back(static_cast<Seat>(*n - 1));
    }
    if (r.has("since")) {
      const auto limit = [&](const char* what) {
        return r.has(what) ? std::optional(static_cast<int>(r.number(what))) : std::nullopt;
      };
      info.running = std::make_shared<const RunningClock>(
          RunningClock{{limit("nag"), limit("forfeit"), limit("total")},
                       Time(std::chrono::seconds(r.number("since"))),
                       std::chrono::seconds(r.number("used"))});
    }
    if (info.names.size() >= 2) table_.put(std::move(info));
  };
  // What cannot be read of it is made again from the saves.
  static_cast<void>(read_records(directory_ / kServerFiles / kFile, head(), take));
}

}  // namespace pbm
