# SPDX-License-Identifier: MIT
# What the program itself makes: the tables of endings of an installation; the repository's pictures,
# puzzles and opening book.
PUZZLE_OBJECTS  := $(BUILD)/release/t/puzzles/puzzles.o
BOOK_OBJECTS    := $(BUILD)/release/t/book/book.o
TABLE_OBJECTS   := $(BUILD)/release/t/book/tables.o
PICTURE_OBJECTS := $(addprefix $(BUILD)/release/t/,pictures/pictures.o pictures/screens.o terminal.o)

.PHONY: pictures puzzles book
## pictures: draw the README's pictures, man/pictures/, with the program itself
pictures: $(BUILD)/pbmplay $(BUILD)/pictures
	@$(RUN_TESTS) $(BUILD)/pictures man/pictures

## puzzles: find the puzzles in saves/puzzles/ in games of the computer against itself; takes a quarter of an hour
puzzles: $(BUILD)/puzzles
	@$(BUILD)/puzzles saves/puzzles

## book: solve the opening books of Toot, src/games/toot_book.inc; takes 20 minutes and 2 GB
book: $(BUILD)/book
	@$(BUILD)/book > $(BUILD)/toot_book.inc && mv $(BUILD)/toot_book.inc src/games/

$(BUILD)/pictures: $(LIBRARY_OBJECTS) $(PICTURE_OBJECTS)
	$(call link,$(TEST_LIBS))
$(BUILD)/puzzles: $(LIBRARY_OBJECTS) $(PUZZLE_OBJECTS)
	$(call link)
$(BUILD)/book: $(LIBRARY_OBJECTS) $(BOOK_OBJECTS)
	$(call link)
# Part of an installation, so it needs no test library.
$(TABLE_OBJECTS): $(BUILD)/release/t/%.o: t/%.cpp $(BUILD)/release/library.hpp.gch
	$(for_release)
$(BUILD)/make-tables: $(LIBRARY_OBJECTS) $(TABLE_OBJECTS)
	$(call link)
-include $(patsubst %.o,%.d,$(PUZZLE_OBJECTS) $(BOOK_OBJECTS) $(TABLE_OBJECTS) $(PICTURE_OBJECTS))
