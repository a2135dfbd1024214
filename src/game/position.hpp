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
  explicit Position(S state) : held_(std::make_unique<Holder<S>>(std::move(state))) {}
  Position(const Position& other) : held_(other.held_->copy()) {}
  Position(Position&&) noexcept = default;
  Position& operator=(const Position& other) { return *this = Position(other); }
  Position& operator=(Position&&) noexcept = default;
  ~Position() = default;

  int seats() const { return held_->seats(); }
  Seat to_move() const { return held_->to_move(); }
  std::optional<Outcome> outcome() const { return held_->outcome(); }

  // Returns the legal plies: canonical, sorted bytewise, none if and only if outcome() is set.
  std::vector<std::string> legal() const { return held_->legal(); }

  // Returns the spellings of all legal plies, sorted.
  std::vector<Spelling> spellings() const;

  // Returns the canonical spelling of `typed`, or refuses it. If the game itself cannot read the
  // text, notation.hpp tries. A refusal is the game's; its offset counts from the start of `typed`.
  Result<std::string> parse(std::string_view typed) const;

  // Pre, for these functions: `ply` is legal.
  void play(std::string_view ply) { held_->play(ply); }
  // Plays `ply` and returns what describe() and touched() said before. Parses it only once.
  struct Played {
    std::string described;
    std::vector<SpotId> touched;
  };
  Played play_and_tell(std::string_view ply) { return held_->play_and_tell(ply); }
  std::vector<SpotId> trail(std::string_view ply) const { return held_->trail(ply); }
  std::vector<SpotId> touched(std::string_view ply) const { return held_->touched(ply); }
  std::string describe(std::string_view ply) const { return held_->describe(ply); }
  std::string caution(std::string_view ply) const { return held_->caution(ply); }

  std::string sign(Seat seat) const { return held_->sign(seat); }
  std::string holdings(Seat seat) const { return held_->holdings(seat); }
  // Draws the position and finds the labels: letters and digits that no spot covers.
  Drawing draw(const View& view) const;
  std::vector<std::string> in_words() const { return held_->in_words(); }

  // Returns the position after passing the turn, or nothing if the game has no pass. The result may
  // have no legal ply and no outcome. Pre: the game is not over.
  std::optional<Position> skipped() const;

  // Removes the seat from the game. Pre: two other seats still play.
  void eliminate(Seat seat) { held_->eliminate(seat); }

  // Returns the State itself for templates over it; null if it is another game's.
  template <class S>
  const S* as() const {
    const auto* held = dynamic_cast<const Holder<S>*>(held_.get());
    return held ? &held->state : nullptr;
  }

  friend bool operator==(const Position& a, const Position& b) { return a.held_->equals(*b.held_); }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual std::unique_ptr<Any> copy() const = 0;
    virtual bool equals(const Any&) const = 0;
    virtual int seats() const = 0;
    virtual Seat to_move() const = 0;
    virtual std::optional<Outcome> outcome() const = 0;
    virtual std::vector<std::string> legal() const = 0;
    virtual std::vector<Spelling> spellings() const = 0;
    virtual Result<std::string> parse(std::string_view) const = 0;
    virtual void play(std::string_view) = 0;
    virtual Played play_and_tell(std::string_view) = 0;
    virtual std::vector<SpotId> trail(std::string_view) const = 0;
    virtual std::vector<SpotId> touched(std::string_view) const = 0;
    virtual std::string describe(std::string_view) const = 0;
    virtual std::string caution(std::string_view) const = 0;
    virtual std::string sign(Seat) const = 0;
    virtual std::string holdings(Seat) const = 0;
    virtual Drawing draw(const View&) const = 0;
    virtual std::vector<std::string> in_words() const = 0;
    virtual void eliminate(Seat) = 0;
    virtual bool skip() = 0;
  };

  template <class S>
  struct Holder final : Any {
    explicit Holder(S s) : state(std::move(s)) {}
    std::unique_ptr<Any> copy() const override { return std::make_unique<Holder>(state); }
    bool equals(const Any& other) const override {
      const auto* same = dynamic_cast<const Holder*>(&other);
      return same && same->state == state;
    }
    int seats() const override { return state.seats(); }
    Seat to_move() const override { return state.to_move(); }
    std::optional<Outcome> outcome() const override { return state.outcome(); }
    std::vector<std::string> legal() const override {
      std::vector<std::string> out;
      state.each_move([&](typename S::Move m) { out.push_back(state.text(m)); });
      sort(out);
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
    typename S::Move need(std::string_view ply) const {
      auto move = state.parse(ply);
      check(move.ok(), "a move was used that is not legal");
      return *move;
    }
    void play(std::string_view ply) override { state.play(need(ply)); }
    Played play_and_tell(std::string_view ply) override {
      const auto move = need(ply);
      Played out{state.describe(move), state.touched(move)};
      state.play(move);
      return out;
    }
    std::vector<SpotId> trail(std::string_view ply) const override {
      return state.trail(need(ply));
    }
    std::vector<SpotId> touched(std::string_view ply) const override {
      return state.touched(need(ply));
    }
    std::string describe(std::string_view ply) const override { return state.describe(need(ply)); }
    std::string caution(std::string_view ply) const override { return state.caution(need(ply)); }
    std::string sign(Seat seat) const override { return state.sign(seat); }
    std::string holdings(Seat seat) const override { return state.holdings(seat); }
    Drawing draw(const View& view) const override { return state.draw(view); }
    std::vector<std::string> in_words() const override { return state.in_words(); }
    void eliminate([[maybe_unused]] Seat seat) override {
      if constexpr (requires { state.eliminate(seat); }) state.eliminate(seat);
      else check(false, "a seat was dropped from a game for two");
    }
    bool skip() override {
      constexpr bool kSkips = requires { state.skip(); };
      if constexpr (kSkips) state.skip();
      return kSkips;
    }

    S state;
  };

  std::optional<std::string> forgiven(std::string_view text) const;
  static void sort(std::vector<std::string>& v);

  std::unique_ptr<Any> held_;
};

}  // namespace pbm
