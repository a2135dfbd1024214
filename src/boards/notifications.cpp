// SPDX-License-Identifier: MIT
#include "boards/notifications.hpp"

#include "protocol/framing.hpp"

namespace pbm {
namespace {

std::string in_words(const Event& e, const std::string& text) {
  using enum Event::Kind;
  switch (e.kind) {
    case challenge: return "A new board: " + text + ".";
    case turn: return "It is your turn.";
    case ply: return e.userid + " plays " + e.move + (e.automatic ? ", as it was queued." : ".");
    case propose:
    case undo:
    case accept:
    case reject:
    case resign:
    case over:
    case gone:
    case changed:
    case nag: return text;
    case dropped: return "What you had queued, " + e.move + ", is not played. " + text;
    case announce: return "The server: " + text;
    case seek: return e.userid + " seeks a player: " + text + ".";
    case note:
    case signout:
    case unseek:
    case now: return "";
    case chat: return e.userid + ": " + text;
    case watch: return e.userid + " watches.";
    case unwatch: return e.userid + " watches no more.";
    case message: return e.userid + " to you: " + text;
    case broadcast: return e.userid + " to all: " + text;
  }
  return "";
}

Notification::Kind kind_of(Event::Kind kind) {
  using enum Event::Kind;
  switch (kind) {
    case turn: return Notification::Kind::turn;
    case ply:
    case over:
    case changed: return Notification::Kind::ply;
    case propose:
    case undo:
    case accept:
    case reject:
    case resign: return Notification::Kind::offer;
    case chat:
    case message:
    case announce:
    case broadcast: return Notification::Kind::talk;
    default: return Notification::Kind::board;
  }
}

}  // namespace

std::optional<Notification> notification_of(const Event& event) {
  const std::string text = sanitize(in_words(
      event, event.waited ? event.text + " (" + long_time(*event.waited) + ")" : event.text));
  if (text.empty()) return std::nullopt;
  return Notification{kind_of(event.kind), event.board ? event.board->id() : "", text};
}

}  // namespace pbm
