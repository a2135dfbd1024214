// SPDX-License-Identifier: MIT
// Holds the State of any game by value. Moves are canonical spellings here. Fast code is a template
// over State, as perft() is (engine/game_row.hpp). Leaves the rules to the State.
#pragma once

#include <memory>

#include "game/game.hpp"
#include "game/notation.hpp"

namespace pbm {

class Position {
 public:
  template <class S>
    requires(!std::same_as<S, Position> && GameState<S>)
  explicit Position(S state) : state_(std::make_unique<StateHolder<S>>(std::move(state))) {}
  Position(const Position& other) : state_(other.state_->copy()) {}
  Position(Position&&) noexcept = default;
  Position& operator=(const Position& other) { return *this = Position(other); }
  Position& operator=(Position&&) noexcept = default;
  ~Position() = default;

  int seats() const { return state_->seats(); }
  Seat to_move() const { return state_->to_move(); }
  std::optional<Outcome> outcome() const { return state_->outcome(); }

  // Returns the legal plies: canonical, sorted bytewise, none if and only if outcome() is set.
  std::vector<std::string> legal_plies() const { return state_->legal_plies(); }

  // Returns the spellings of all legal plies, sorted.
  std::vector<Spelling> spellings() const;

  // Returns the canonical spelling of `typed`, or refuses it. If the game itself cannot read the
  // text, notation.hpp tries. A refusal is the game's; its offset counts from the start of `typed`.
  Result<std::string> parse(std::string_view typed) const;

  // Pre, for these functions: `ply` is legal.
  void play(std::string_view ply) { state_->play(ply); }
  // Plays `ply` and returns what describe() and changed_spots() said before. Parses it only once.
  struct PlayedPly {
    std::string description;
    std::vector<SpotId> changed_spots;
  };
  PlayedPly play_and_describe(std::string_view ply) { return state_->play_and_describe(ply); }
  std::vector<SpotId> selected_spots(std::string_view ply) const {
    return state_->selected_spots(ply);
  }
  std::vector<SpotId> changed_spots(std::string_view ply) const {
    return state_->changed_spots(ply);
  }
  std::string describe(std::string_view ply) const { return state_->describe(ply); }
  std::string warning(std::string_view ply) const { return state_->warning(ply); }

  std::string side_name(Seat seat) const { return state_->side_name(seat); }
  std::string holdings(Seat seat) const { return state_->holdings(seat); }
  // Draws the position and finds the labels: letters and digits that no spot covers.
  Drawing draw(const View& view) const;
  std::vector<std::string> description_lines() const { return state_->description_lines(); }

  // Returns the position after passing the turn, or nothing if the game has no pass. The result may
  // have no legal ply and no outcome. Pre: the game is not over.
  std::optional<Position> after_skip() const;

  // Removes the seat from the game. Pre: two other seats still play.
  void eliminate(Seat seat) { state_->eliminate(seat); }

  // Returns the State itself for templates over it; null if it is another game's.
  template <class S>
  const S* state_as() const {
    const auto* held = dynamic_cast<const StateHolder<S>*>(state_.get());
    return held ? &held->state : nullptr;
  }

  friend bool operator==(const Position& a, const Position& b) {
    return a.state_->equals(*b.state_);
  }

 private:
  struct AnyState {
    virtual ~AnyState() = default;
    virtual std::unique_ptr<AnyState> copy() const = 0;
    virtual bool equals(const AnyState&) const = 0;
    virtual int seats() const = 0;
    virtual Seat to_move() const = 0;
    virtual std::optional<Outcome> outcome() const = 0;
    virtual std::vector<std::string> legal_plies() const = 0;
    virtual std::vector<Spelling> spellings() const = 0;
    virtual Result<std::string> parse(std::string_view) const = 0;
    virtual void play(std::string_view) = 0;
    virtual PlayedPly play_and_describe(std::string_view) = 0;
    virtual std::vector<SpotId> selected_spots(std::string_view) const = 0;
    virtual std::vector<SpotId> changed_spots(std::string_view) const = 0;
    virtual std::string describe(std::string_view) const = 0;
    virtual std::string warning(std::string_view) const = 0;
    virtual std::string side_name(Seat) const = 0;
    virtual std::string holdings(Seat) const = 0;
    virtual Drawing draw(const View&) const = 0;
    virtual std::vector<std::string> description_lines() const = 0;
    virtual void eliminate(Seat) = 0;
    virtual bool skip_turn() = 0;
  };

  template <class S>
  struct StateHolder final : AnyState {
    explicit StateHolder(S s) : state(std::move(s)) {}
    std::unique_ptr<AnyState> copy() const override { return std::make_unique<StateHolder>(state); }
    bool equals(const AnyState& other) const override {
      const auto* same = dynamic_cast<const StateHolder*>(&other);
      return same && same->state == state;
    }
    int seats() const override { return state.seats(); }
    Seat to_move() const override { return state.to_move(); }
    std::optional<Outcome> outcome() const override { return state.outcome(); }
    std::vector<std::string> legal_plies() const override {
      std::vector<std::string> out;
      state.each_move([&](typename S::Move m) { out.push_back(state.text(m)); });
      sort_plies(out);
      return out;
    }
    std::vector<Spelling> spellings() const override {
      std::vector<Spelling> out;
      state.each_move([&](typename S::Move m) {
        const std::string ply = state.text(m);
        state.spellings(m, [&](const std::string& typed) { out.push_back({lower(typed), ply}); });
      });
      return out;
    }
    Result<std::string> parse(std::string_view typed) const override {
      auto move = state.parse(typed);
      if (!move) return move.refusal();
      return state.text(*move);
    }
    typename S::Move require_move(std::string_view ply) const {
      auto move = state.parse(ply);
      check(move.ok(), "a move was used that is not legal");
      return *move;
    }
    void play(std::string_view ply) override { state.play(require_move(ply)); }
    PlayedPly play_and_describe(std::string_view ply) override {
      const auto move = require_move(ply);
      PlayedPly out{state.describe(move), state.changed_spots(move)};
      state.play(move);
      return out;
    }
    std::vector<SpotId> selected_spots(std::string_view ply) const override {
      return state.selected_spots(require_move(ply));
    }
    std::vector<SpotId> changed_spots(std::string_view ply) const override {
      return state.changed_spots(require_move(ply));
    }
    std::string describe(std::string_view ply) const override {
      return state.describe(require_move(ply));
    }
    std::string warning(std::string_view ply) const override {
      return state.warning(require_move(ply));
    }
    std::string side_name(Seat seat) const override { return state.side_name(seat); }
    std::string holdings(Seat seat) const override { return state.holdings(seat); }
    Drawing draw(const View& view) const override { return state.draw(view); }
    std::vector<std::string> description_lines() const override {
      return state.description_lines();
    }
    void eliminate([[maybe_unused]] Seat seat) override {
      if constexpr (requires { state.eliminate(seat); }) state.eliminate(seat);
      else check(false, "a seat was dropped from a game for two");
    }
    bool skip_turn() override {
      constexpr bool kSkips = requires { state.skip_turn(); };
      if constexpr (kSkips) state.skip_turn();
      return kSkips;
    }

    S state;
  };

  std::optional<std::string> parse_loosely(std::string_view text) const;
  static void sort_plies(std::vector<std::string>& v);

  std::unique_ptr<AnyState> state_;
};

}  // namespace pbm
