// SPDX-License-Identifier: MIT
#include "store/database.hpp"

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("what was asked is remembered until something is written there, or undone", "[store]") {
  TemporaryDirectory directory;
  const Schema schema{
      "CREATE TABLE parent (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"
      "CREATE TABLE child (name TEXT REFERENCES parent ON UPDATE CASCADE,"
      " n INTEGER) STRICT;"
      "CREATE TABLE other (n INTEGER) STRICT;",
      1,
      {}};
  Database database(directory / "d.db", &schema);
  database.run("INSERT INTO parent VALUES ('a')");
  database.run("INSERT INTO child VALUES ('a', 1)");
  QueryCache<std::int64_t> sums(database, "child");
  int asked = 0;
  const auto sum = [&](const std::string& name) {
    return sums.get(name, [&] {
      ++asked;
      return database.query_number("SELECT sum(n) FROM child WHERE name = ?", name);
    });
  };
  CHECK(sum("a") == 1);
  CHECK(sum("a") == 1);
  CHECK(sum("b") == 0);
  CHECK(asked == 2);
  // A change of another table keeps the cached value.
  database.run("INSERT INTO other VALUES (1)");
  CHECK(sum("a") == 1);
  CHECK(asked == 2);
  database.run("UPDATE child SET n = 2");
  CHECK(sum("a") == 2);
  // A change of another table that changes this one by a foreign key.
  database.run("UPDATE parent SET name = 'b'");
  CHECK(sum("a") == 0);
  CHECK(sum("b") == 2);
  REQUIRE(database.commit().empty());
  CHECK(sum("b") == 2);
  asked = 0;
  {
    Database::Savepoint attempt(database);
    database.run("DELETE FROM child");
    CHECK(sum("b") == 0);
  }
  CHECK(sum("b") == 2);
  {
    Database::Savepoint attempt(database);
    database.run("INSERT INTO child VALUES ('b', 3)");
    CHECK(sum("b") == 5);
    attempt.keep();
  }
  CHECK(sum("b") == 5);
  CHECK(asked == 3);
  // A transaction that cannot be committed.
  database.run("DELETE FROM child");
  CHECK(sum("b") == 0);
  database.refuse_changes("The disk is gone");
  CHECK_FALSE(database.commit().empty());
  CHECK(sum("b") == 2);  // the committed value
}
