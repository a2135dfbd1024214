// SPDX-License-Identifier: MIT
#include "boards/notifications.hpp"

#include "protocol/framing.hpp"

namespace pbm {
namespace {

Notification::Kind notification_kind(Event::Kind kind) {
  using enum Event::Kind;
  switch (kind) {
    case challenge: return Notification::Kind::challenge;
    case turn: return Notification::Kind::turn;
    case ply:
    case game_over:
    case board_changed: return Notification::Kind::ply;
    case propose:
    case undo:
    case accept:
    case reject:
    case resign: return Notification::Kind::offer;
    case chat:
    case message:
    case announce:
    case tournament:
    case ladder:
    case broadcast: return Notification::Kind::message;
    case board_gone: return Notification::Kind::board_gone;
    default: return Notification::Kind::board;
  }
}

}  // namespace

std::optional<Notification> to_notification(const Event& event) {
  Event when = event;
  if (event.original_time) when.text += " (" + long_time(*event.original_time) + ")";
  const std::string text = sanitize(event_sentence(when));
  if (text.empty()) return std::nullopt;
  return Notification{notification_kind(event.kind), event.board ? event.board->id() : "", text};
}

void NotificationQueue::add(Notification::Kind kind, const std::string& board,
                            const std::string& text, bool own) {
  if (queue_.size() == kMaxSize) queue_.erase(queue_.begin());
  queue_.push_back({kind, board, sanitize(text), own});
}

}  // namespace pbm
