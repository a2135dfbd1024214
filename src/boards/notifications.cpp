// SPDX-License-Identifier: MIT
#include "boards/notifications.hpp"

#include "protocol/framing.hpp"

namespace pbm {
namespace {

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
    case gone: return Notification::Kind::gone;
    default: return Notification::Kind::board;
  }
}

}  // namespace

std::optional<Notification> notification_of(const Event& event) {
  Event when = event;
  if (event.waited) when.text += " (" + long_time(*event.waited) + ")";
  const std::string text = sanitize(in_words(when));
  if (text.empty()) return std::nullopt;
  return Notification{kind_of(event.kind), event.board ? event.board->id() : "", text};
}

void NotificationQueue::add(Notification::Kind kind, const std::string& board,
                            const std::string& text, bool own) {
  if (queue_.size() == kMost) queue_.erase(queue_.begin());
  queue_.push_back({kind, board, sanitize(text), own});
}

}  // namespace pbm
