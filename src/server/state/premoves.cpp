// SPDX-License-Identifier: MIT
#include "server/state/premoves.hpp"

#include <algorithm>

namespace pbm {

namespace {

Record record_of(const Place& place, const Queued& q) {
  Record r;
  r.put("board", place.board).put("user", place.user);
  r.put(q.tree ? "tree" : "move", q.move).put("entries", q.entries);
  if (q.ply) r.put("ply", *q.ply);
  return r;
}

}  // namespace

Premoves::Premoves(CommitLog& log)
    : journal_(log, "queue.yaml",
               "Plies that wait for their turn, and which were played from here.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) { live(keep); }}) {}

void Premoves::take(const Record& r) {
  if (r.has("auto")) {
    auto_.insert({r.get("board"), r.number("auto"), read_iso_time(r.get("at")).value_or(Time{})});
    return;
  }
  const Place place{r.get("board"), r.get("user")};
  const bool tree = r.has("tree");
  if (!r.has("move") && !tree) {
    queued_.erase(place);
    return;
  }
  queued_[place] = {r.get(tree ? "tree" : "move"),
                    r.has("ply") ? std::optional(r.number("ply")) : std::nullopt,
                    r.number("entries"), tree};
}

void Premoves::live(const Journal::Take& keep) const {
  for (const auto& [board, ply, at] : auto_)
    keep(Record().put("board", board).put("auto", ply).put("at", iso_time(at)));
  for (const auto& some : {taken_, queued_})
    for (const auto& [place, q] : some) keep(record_of(place, q));
}

const Queued* Premoves::find(const Place& place) {
  const auto found = queued_.find(place);
  if (found == queued_.end()) return nullptr;
  journal_.touch();
  return &found->second;
}

void Premoves::put(const Place& place, const Queued& queued) {
  journal_.add(record_of(place, queued));
  queued_[place] = queued;
  taken_.erase(place);
}

void Premoves::drop(const Place& place) {
  journal_.add(Record().put("board", place.board).put("user", place.user));
  queued_.erase(place);
  taken_.erase(place);
}

std::set<std::string> Premoves::boards() const {
  std::set<std::string> out;
  for (const auto& [place, queued] : queued_) out.insert(place.board);
  return out;
}

void Premoves::mark_auto(const std::string& board, std::size_t ply, Time at) {
  journal_.add(Record().put("board", board).put("auto", ply).put("at", iso_time(at)));
  auto_.insert({board, ply, at});
}

void Premoves::submit(const Place& place, const Queued& queued) {
  confirm(place);
  const auto mine = [&](const auto& s) { return s.first.user == place.user; };
  if (std::count_if(submitted_.begin(), submitted_.end(), mine) >=
      static_cast<std::ptrdiff_t>(kMaxSubmitted))
    submitted_.erase(std::find_if(submitted_.begin(), submitted_.end(), mine));
  submitted_.emplace_back(place, queued);
}

const Queued* Premoves::submitted(const Place& place) const {
  const auto found = std::find_if(submitted_.begin(), submitted_.end(),
                                  [&](const auto& s) { return s.first == place; });
  return found == submitted_.end() ? nullptr : &found->second;
}

void Premoves::confirm(const Place& place) {
  std::erase_if(submitted_, [&](const auto& s) { return s.first == place; });
}

}  // namespace pbm
