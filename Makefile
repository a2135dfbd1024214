# SPDX-License-Identifier: MIT
# make help lists the targets. Everything made lies under $(BUILD).
BUILD   ?= build
CXX     ?= g++
OPT     ?= -O2
PREFIX  ?= /usr/local

SHELL       := /bin/sh
WARNINGS    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
STANDARD    := -std=c++20 -pthread
DEFINES     := -DPBM_SOURCE_ROOT='"$(CURDIR)"' -DPBM_PREFIX='"$(PREFIX)"'
FLAGS       := $(STANDARD) $(WARNINGS) -Isrc $(DEFINES) -g
SANITIZE    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-maybe-uninitialized
LIBS        := -lboost_program_options -lyaml-cpp -lncursesw -ltinfo
TEST_LIBS   := -lvterm -lutil

SOURCES     := $(sort $(wildcard src/*/*.cpp))
TESTS       := $(sort $(wildcard t/*.cpp t/games/*.cpp))

PROGRAM_OBJECTS := $(patsubst %.cpp,$(BUILD)/release/%.o,$(SOURCES) src/main.cpp)
CHECKED_OBJECTS := $(patsubst %.cpp,$(BUILD)/checked/%.o,$(SOURCES))
TEST_OBJECTS    := $(patsubst %.cpp,$(BUILD)/checked/%.o,$(TESTS))

.PHONY: all run check test check-long bench deps test-deps help clean
all: $(BUILD)/pbmplay

$(BUILD)/release/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(FLAGS) $(OPT) $(CXXFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/checked/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(FLAGS) $(SANITIZE) -It $(CXXFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/pbmplay: $(PROGRAM_OBJECTS)
	$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/tests: $(CHECKED_OBJECTS) $(TEST_OBJECTS)
	$(CXX) $(STANDARD) $(SANITIZE) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

clean:
	rm -rf $(BUILD)

-include $(patsubst %.o,%.d,$(PROGRAM_OBJECTS) $(CHECKED_OBJECTS) $(TEST_OBJECTS))
