// SPDX-License-Identifier: MIT
// All tables of the server's database; pbmplay-server(8) describes them for its owner. Leaves
// access to them to the other files of this directory.
#pragma once

#include "store/database.hpp"

namespace pbm {

// The tables of version 4; kMigrations makes the later ones. Times are seconds since 1970. A board
// is "GAME-101"; options are words separated by blanks.
inline constexpr const char* kTables = R"sql(
CREATE TABLE account (
  userid TEXT PRIMARY KEY,         -- in small letters
  hash TEXT NOT NULL,              -- of the password, or ''
  address TEXT NOT NULL,           -- that was confirmed, or ''
  since INTEGER NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0,  -- signed off or renamed
  computer INTEGER NOT NULL DEFAULT 0,
  muted INTEGER NOT NULL DEFAULT 0,
  banned INTEGER,                  -- until then
  banned_why TEXT NOT NULL DEFAULT '',
  notices TEXT NOT NULL DEFAULT 'turns',
  told INTEGER,                    -- it was told last while away
  heard INTEGER NOT NULL DEFAULT 0,  -- and up to which letter
  renamed TEXT REFERENCES account ON UPDATE CASCADE  -- its name now
) STRICT, WITHOUT ROWID;
CREATE INDEX account_at ON account (address COLLATE NOCASE);
CREATE TABLE wanted (              -- addresses to be confirmed
  userid TEXT PRIMARY KEY REFERENCES account ON UPDATE CASCADE,
  address TEXT NOT NULL,
  code TEXT NOT NULL,
  sent INTEGER                     -- null: not yet
) STRICT, WITHOUT ROWID;
CREATE TABLE mailed (              -- mails of a day
  receiver TEXT NOT NULL,          -- an address; or else a userid
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL            -- 0; 1: code; 2: userid; 3: daily
) STRICT;
CREATE INDEX mailed_to ON mailed (receiver, at);
CREATE INDEX mailed_at ON mailed (at);
CREATE TABLE choice (
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  game TEXT NOT NULL,
  boards INTEGER,                  -- taken at most
  field TEXT,                      -- that is shown
  PRIMARY KEY (userid, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE notice (              -- of one board
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  board TEXT NOT NULL,
  wish TEXT NOT NULL,              -- never, turns
  PRIMARY KEY (userid, board)
) STRICT, WITHOUT ROWID;
CREATE TABLE subscription (
  board TEXT NOT NULL,             -- or "GAME-all"
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  PRIMARY KEY (board, userid)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscription_of ON subscription (userid);
CREATE TABLE block (
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  blocked TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  PRIMARY KEY (userid, blocked)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_of ON block (blocked);
CREATE TABLE vacation (
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  begins INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (userid, begins)
) STRICT, WITHOUT ROWID;
CREATE TABLE down (                -- no server ran
  begins INTEGER PRIMARY KEY,
  ends INTEGER NOT NULL
) STRICT;
CREATE TABLE setting (
  name TEXT PRIMARY KEY,           -- switches; seen; last GAME
  value INTEGER NOT NULL           -- 0 or 1; when; a board
) STRICT, WITHOUT ROWID;
CREATE TABLE finished (            -- games that ended, in order
  number INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  board INTEGER NOT NULL,
  at INTEGER NOT NULL,
  plies INTEGER NOT NULL,
  opening TEXT NOT NULL,           -- the first plies
  options TEXT NOT NULL,
  seats INTEGER NOT NULL,
  winner INTEGER,                  -- a seat; null: a tie
  unrated TEXT NOT NULL,           -- why; '' where it is rated
  UNIQUE (game, board)
) STRICT;
CREATE INDEX finished_like ON finished (game, options, seats);
CREATE TABLE finished_seat (
  number INTEGER NOT NULL REFERENCES finished,
  seat INTEGER NOT NULL,
  name TEXT NOT NULL,
  userid TEXT NOT NULL,            -- the same in small letters
  resigned INTEGER NOT NULL,       -- before the others' tie: lost
  PRIMARY KEY (number, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX finished_seat_of ON finished_seat (userid);
CREATE TABLE rating (              -- follows from those
  game TEXT NOT NULL,
  userid TEXT NOT NULL,
  value REAL NOT NULL,
  won INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  tied INTEGER NOT NULL,
  sum REAL NOT NULL,               -- of what games were worth
  PRIMARY KEY (game, userid)
) STRICT, WITHOUT ROWID;
CREATE TABLE letter (              -- what waits for who is away
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,              -- of event
  board TEXT NOT NULL,             -- or ''
  sender TEXT NOT NULL,            -- of what somebody said; or ''
  what TEXT NOT NULL               -- the event
) STRICT;
CREATE INDEX letter_of ON letter (userid, sender);
CREATE INDEX letter_on ON letter (board, kind);
CREATE TABLE chat (
  board TEXT NOT NULL,
  line INTEGER NOT NULL,
  at INTEGER NOT NULL,
  userid TEXT NOT NULL,
  text TEXT NOT NULL,
  aside INTEGER NOT NULL,          -- by who watched, while it ran
  PRIMARY KEY (board, line)
) STRICT, WITHOUT ROWID;
CREATE TABLE unread (              -- lines of a board's chat
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  board TEXT NOT NULL,
  lines INTEGER NOT NULL,
  later INTEGER NOT NULL,          -- for a player, once it is over
  PRIMARY KEY (userid, board)
) STRICT, WITHOUT ROWID;
CREATE TABLE seek (                -- open challenges
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  game TEXT NOT NULL,
  at INTEGER NOT NULL,
  options TEXT NOT NULL,
  low INTEGER, high INTEGER,       -- not used
  pair INTEGER NOT NULL,
  asker TEXT NOT NULL              -- a login, an address
) STRICT;
CREATE INDEX seek_of ON seek (userid);
CREATE TABLE queued (              -- plies for one's next turn
  board TEXT NOT NULL,
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  move TEXT NOT NULL,              -- or a tree of answers
  ply INTEGER,                     -- the number it must become
  entries INTEGER NOT NULL,        -- of the board, at that time
  tree INTEGER NOT NULL,
  PRIMARY KEY (board, userid)
) STRICT, WITHOUT ROWID;
CREATE TABLE automatic (           -- such plies that were played
  board TEXT NOT NULL,
  ply INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (board, ply, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE tail (                -- done, and not safe in a save
  number INTEGER PRIMARY KEY,
  board TEXT NOT NULL,
  what TEXT NOT NULL,              -- add, create, replace, put away
  offset INTEGER NOT NULL,         -- in the save
  bytes TEXT NOT NULL
) STRICT;
CREATE TABLE board (               -- what its save says
  board TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  number INTEGER NOT NULL,
  inode INTEGER NOT NULL,          -- of which file
  size INTEGER NOT NULL,
  stamp INTEGER NOT NULL,
  challenger TEXT NOT NULL,
  options TEXT NOT NULL,
  broken TEXT NOT NULL,            -- why it cannot be read, or ''
  plies INTEGER NOT NULL,
  entries INTEGER NOT NULL,        -- plies, offers and notes
  changed INTEGER NOT NULL,
  over INTEGER,                    -- since then; null: it runs
  to_move INTEGER,                 -- a seat
  winner INTEGER,
  offer TEXT, offered_by INTEGER,  -- draw or undo
  since INTEGER, used INTEGER,     -- of the seat to move
  nag INTEGER, forfeit INTEGER, total INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX board_running ON board (game) WHERE over IS NULL;
CREATE INDEX board_over ON board (game) WHERE over IS NOT NULL;
CREATE INDEX board_broken ON board (game) WHERE broken <> '';
CREATE TABLE seat (
  board TEXT NOT NULL REFERENCES board ON DELETE CASCADE,
  seat INTEGER NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  answers INTEGER NOT NULL,        -- to the offer: 0 or 1
  unplayed INTEGER NOT NULL,       -- while it runs: has never played
  resigned INTEGER NOT NULL,       -- the same: plays no more
  over INTEGER,                    -- as of the board
  PRIMARY KEY (board, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_running ON seat (name) WHERE over IS NULL;
CREATE INDEX seat_over ON seat (name, over) WHERE over IS NOT NULL;
)sql";
// Each script makes the next version, first 5. A script never changes after a release.
inline constexpr const char* kMigrations[] = {R"sql(
CREATE TABLE login_key (           -- SSH keys of members
  fingerprint TEXT PRIMARY KEY,    -- "SHA256:..."
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  label TEXT NOT NULL,
  added INTEGER NOT NULL,
  last_used INTEGER                -- null: never
) STRICT, WITHOUT ROWID;
CREATE INDEX login_key_of ON login_key (userid);
CREATE TABLE invitation (          -- to sign up with a key
  code TEXT PRIMARY KEY,
  inviter TEXT REFERENCES account ON UPDATE CASCADE,  -- or null
  userid TEXT NOT NULL,            -- it is only for this one; or ''
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
DROP INDEX finished_like;
ALTER TABLE finished DROP COLUMN opening;
)sql",
                                              R"sql(
CREATE TABLE tournament (
  name TEXT PRIMARY KEY,           -- in small letters
  creator TEXT REFERENCES account ON UPDATE CASCADE,  -- null: owner
  game TEXT NOT NULL,
  options TEXT NOT NULL,           -- with limits of time
  form INTEGER NOT NULL,           -- round robin, Swiss, knockout
  state INTEGER NOT NULL,          -- open, running, over, cancelled
  rounds INTEGER NOT NULL,         -- 0: not known yet
  most INTEGER NOT NULL,           -- entries
  twice INTEGER NOT NULL,          -- a double round robin
  unrated INTEGER NOT NULL,
  until INTEGER,                   -- starts by itself then
  begun INTEGER,
  ended INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE entry (               -- players of tournaments
  tournament TEXT NOT NULL REFERENCES tournament ON DELETE CASCADE,
  number INTEGER NOT NULL,         -- in pairings
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  rating INTEGER NOT NULL,         -- at the start
  withdrawn INTEGER NOT NULL,      -- 1; 2: the games do not count
  PRIMARY KEY (tournament, number),
  UNIQUE (tournament, userid)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_of ON entry (userid);
CREATE TABLE pairing (             -- games of tournaments
  tournament TEXT NOT NULL REFERENCES tournament ON DELETE CASCADE,
  number INTEGER NOT NULL,         -- in the order of pairing, from 0
  round INTEGER NOT NULL,
  first INTEGER NOT NULL,          -- numbers of entries, by seat
  second INTEGER NOT NULL,         -- 0: a bye
  board TEXT NOT NULL,             -- '': not begun, or never
  result INTEGER NOT NULL,  -- none, seat 1, 2, tie, annulled, bye
  PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX pairing_on ON pairing (board) WHERE board <> '';
CREATE VIEW listed_tournament AS   -- with its first running round
SELECT t.*,
  (SELECT count(*) FROM entry WHERE tournament = name) AS entries,
  coalesce((SELECT min(round) FROM pairing
            WHERE tournament = name AND result = 0),
           (SELECT max(round) FROM pairing WHERE tournament = name),
           0) AS round
FROM tournament AS t;
CREATE TABLE ladder (              -- that the owner opened
  name TEXT PRIMARY KEY            -- the game and its options
) STRICT, WITHOUT ROWID;
CREATE TABLE rung (                -- players on ladders
  ladder TEXT NOT NULL,
  userid TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  place INTEGER NOT NULL,
  since INTEGER NOT NULL,          -- has this place
  played INTEGER NOT NULL,         -- last game, or when they joined
  drops INTEGER NOT NULL,          -- places lost since then
  PRIMARY KEY (ladder, userid)
) STRICT, WITHOUT ROWID;
CREATE INDEX rung_of ON rung (userid);
CREATE TABLE ladder_game (
  board TEXT PRIMARY KEY,
  ladder TEXT NOT NULL,
  challenger TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  challenged TEXT NOT NULL REFERENCES account ON UPDATE CASCADE,
  ended INTEGER                    -- NULL: it runs
) STRICT, WITHOUT ROWID;
CREATE INDEX ladder_game_of ON ladder_game (ladder)
  WHERE ended IS NULL;
CREATE INDEX ladder_game_by ON ladder_game (ladder, challenger);
CREATE TABLE rating_point (        -- ratings after each rated game
  userid TEXT NOT NULL,
  number INTEGER NOT NULL REFERENCES finished,
  value REAL NOT NULL,
  PRIMARY KEY (userid, number)
) STRICT, WITHOUT ROWID;
)sql"};
inline constexpr Schema kSchema{kTables, 4, kMigrations};

}  // namespace pbm
