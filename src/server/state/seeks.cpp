// SPDX-License-Identifier: MIT
#include "server/state/seeks.hpp"

#include <algorithm>

namespace pbm {
namespace {

Record record_of(const Seek& seek) {
  Record r;
  r.put("seek", seek.number)
      .put("user", seek.userid)
      .put("game", seek.game->name)
      .put("at", iso_time(seek.since));
  if (seek.range) r.put("ratings", seek.range->to_string());
  if (seek.pair) r.put("pair", "yes");
  return r.put_list("option", seek.options);
}

}  // namespace

Seeks::Seeks(CommitLog& log)
    : journal_(log, "seeks.yaml", "Open challenges.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) { live(keep); }}) {}

void Seeks::take(const Record& r) {
  const std::size_t number = r.number("seek");
  last_ = std::max(last_, number);
  seeks_.erase(number);
  const GameType* game = find_game(r.get("game"));
  if (number == 0 || !game) return;  // it is gone, or nothing that this program knows
  Seek& seek = seeks_[number] = {number, r.get("user"), game, r.list("option"), std::nullopt};
  if (const auto range = read_rating_range(r.get("ratings"))) seek.range = *range;
  seek.pair = r.has("pair");
  seek.since = read_iso_time(r.get("at")).value_or(Time{});
}

void Seeks::live(const Journal::Take& keep) const {
  // The last number, whatever became of it.
  if (!seeks_.count(last_)) keep(Record().put("seek", last_));
  for (const auto& [number, seek] : seeks_) keep(record_of(seek));
}

const std::map<std::size_t, Seek>& Seeks::open(Time now) {
  journal_.touch();
  std::erase_if(seeks_, [&](const auto& seek) { return seek.second.since + kKept <= now; });
  return seeks_;
}

std::size_t Seeks::count(const std::string& userid, Time now) {
  const auto& all = open(now);
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const auto& seek) { return seek.second.userid == userid; }));
}

std::size_t Seeks::add(Seek seek) {
  seek.number = last_ + 1;
  put_back(seek);
  return seek.number;
}

void Seeks::put_back(const Seek& seek) {
  const Record record = record_of(seek);
  journal_.add(record);
  take(record);
}

void Seeks::drop(std::size_t number) {
  const Record record = Record().put("seek", number);
  journal_.add(record);
  take(record);
}

}  // namespace pbm
