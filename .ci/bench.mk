# SPDX-License-Identifier: MIT
# Measurements: speed and memory, the computer's strength, its levels.
BENCH_OBJECTS    := $(BUILD)/release/t/bench/bench.o $(BUILD)/release/t/terminal.o
SERVER_BENCH_OBJECTS := $(BUILD)/release/t/bench/server.o
# Each game once more, played by the plain engine.
PLAIN_OBJECTS    := $(patsubst src/games/%.cpp,$(BUILD)/release/t/bench/plain/%.o,$(filter-out %/registry.cpp,$(wildcard src/games/*.cpp)))
STRENGTH_OBJECTS := $(BUILD)/release/t/bench/strength.o $(PLAIN_OBJECTS)
FIT_OBJECTS      := $(BUILD)/release/t/bench/fit.o

.PHONY: bench levels fit soak
## bench: measure speed, bytes and memory beside another terminal game and another server (nudoku and Redis, installed from Debian), and the computer beside a plain engine
bench: $(BUILD)/pbmplay $(BUILD)/bench $(BUILD)/bench-server $(BUILD)/bench-strength
	@$(RUN_TESTS) $(BUILD)/bench
	@$(RUN_TESTS) $(BUILD)/bench-server
	@$(BUILD)/bench-strength

## levels: play the rows of t/levels.txt again that begin with ROWS="flooprail: 4", or all, with GAMES=200; an interrupted run goes on
levels: $(BUILD)/pbmplay
	@BUILD='$(BUILD)' ROWS='$(ROWS)' GAMES='$(GAMES)' .ci/levels

## soak: run a server with 200 bots and 50 screens for SECONDS=700 on a clock 168 times as fast; kill it, fill its disk and check it; needs root and libfaketime
soak: $(BUILD)/pbmplay
	@.ci/soak $(BUILD)/pbmplay $(or $(SECONDS),700)

## fit: measure the terms of each game's evaluation in games of the computer against itself
fit: $(BUILD)/fit
	@for game in toot 'toot -tootris' flooprail 'flooprail -reverse' plotto chaos soccolot; do $(BUILD)/fit $$game 2000 500; done

$(PLAIN_OBJECTS): $(BUILD)/release/t/bench/plain/%.o: src/games/%.cpp t/bench/plain_engine.hpp $(BUILD)/release/.flags
	$(call compile, (plain),$(CXX) $(RELEASE_FLAGS) -include t/bench/plain_engine.hpp)
$(BUILD)/bench: $(LIBRARY_OBJECTS) $(BENCH_OBJECTS)
	$(call link,$(TEST_LIBS))
$(BUILD)/bench-server: $(SERVER_BENCH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS)
$(BUILD)/fit: $(LIBRARY_OBJECTS) $(FIT_OBJECTS)
	$(call link)
$(BUILD)/bench-strength: $(LIBRARY_OBJECTS) $(STRENGTH_OBJECTS)
	$(call link)
-include $(patsubst %.o,%.d,$(BENCH_OBJECTS) $(SERVER_BENCH_OBJECTS) $(STRENGTH_OBJECTS) $(FIT_OBJECTS))
