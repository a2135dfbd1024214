# SPDX-License-Identifier: MIT
# Builds, tests and installs pbmplay. `make help` lists the targets. All output lies under $(BUILD).
# Rare targets (packages, checks, fuzzing, benchmarks, generated data) are in .ci/*.mk.
BUILD   ?= build
CXX     ?= g++
FUZZ_CXX ?= clang++
OPT     ?= -O2
# Directories of `make install`, below DESTDIR if that is set.
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
SHARE   ?= $(PREFIX)/share
DATADIR  = $(SHARE)/pbmplay
MANDIR   = $(SHARE)/man
DOCDIR   = $(SHARE)/doc/pbmplay
BASHDIR  = $(SHARE)/bash-completion/completions
ZSHDIR   = $(SHARE)/zsh/site-functions
FISHDIR  = $(SHARE)/fish/vendor_completions.d
UNITDIR  = $(PREFIX)/lib/systemd/system
INSTALL ?= install

SHELL       := /bin/sh
MAKEFLAGS   += --silent --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
GOALS       := $(or $(MAKECMDGOALS),all)
# The build and the tests use all cores, unless the caller sets -jN.
SAID_JOBS    = $(filter -j%,$(MAKEFLAGS))
JOBS         = $(or $(patsubst -j%,%,$(SAID_JOBS)),$(shell nproc 2>/dev/null || echo 2))
# Files and times have 64 bits on every processor: a time of 32 bits ends in 2038.
STANDARD    := -std=c++20 -pthread -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
include .ci/setup.mk
# --- Needed packages: WHAT:PACKAGE, a header, program or flag and the Debian package with it ------
NEEDED      := curses.h:libncurses-dev boost/program_options.hpp:libboost-program-options-dev \
  boost/context/fiber.hpp:libboost-context-dev yaml-cpp/yaml.h:libyaml-cpp-dev sodium.h:libsodium-dev sqlite3.h:libsqlite3-dev
NEEDED_mail   = gmime-3.0/gmime/gmime-version.h:libgmime-3.0-dev
TEST_NEEDED   = $(NEEDED) $(NEEDED_mail) t/catch.hpp:catch2 vterm.h:libvterm-dev mandoc:mandoc sqlite3:sqlite3 $(SSH)
# Goals that need only a shell, and goals that need no test library.
NEED_NOTHING := help clean fmt english dist uninstall install-files compile_commands.json man
NEED_LITTLE  := all run mail install deps deb

ifneq ($(filter-out $(NEED_NOTHING),$(if $(PBM_INSTALLED),,$(GOALS))),)
# The first make installs the missing packages of all goals; a second one below it builds the goals.
.PHONY: $(GOALS) installed
$(GOALS): installed ;
installed:
	@mkdir -p $(BUILD)
	@CXX='$(CXX)' FLAGS='$(STANDARD) -I.' FOUND=$(BUILD)/.found .ci/install \
	  $(if $(filter-out $(NEED_NOTHING) $(NEED_LITTLE),$(GOALS)),$(TEST_NEEDED),$(NEEDED)) $(foreach g,$(GOALS),$(NEEDED_$g))
	@$(if $(filter check test check-long check-sanitized check-sanitized-part,$(GOALS)),$(POSTFIX))
	@+$(MAKE) PBM_INSTALLED=yes $(if $(SAID_JOBS),,-j$(JOBS)) $(if $(filter lint,$(GOALS)),-k) $(GOALS)
else
# --- Compiler flags ------------------------------------------------------------------------------
COMPILER    := $(shell $(CXX) --version 2>/dev/null | head -n 1)
WARNINGS    := $(if $(WERROR),-Werror) -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
# g++ finds false array bounds in concatenated strings, and warns of vector registers that only
# libraries would need to agree on; clang reports more conversions than g++.
CLANG_WARNINGS := -Wno-sign-conversion -Wno-unneeded-internal-declaration
FLAGS       := $(STANDARD) $(WARNINGS) $(if $(findstring clang,$(COMPILER)),$(CLANG_WARNINGS),-Wno-array-bounds -Wno-stringop-overflow -Wno-psabi) -Isrc
RELEASE_FLAGS   := $(FLAGS) $(OPT) $(CXXFLAGS)
T_FLAGS         := $(FLAGS) -It $(CXXFLAGS)
# The program links archives of its C++ libraries if there are any: looking up their symbols would
# double its start time. Addresses are bound at the start and then read-only.
HARDENED     = -Wl,-z,relro,-z,now
archive      = $(if $(findstring /,$(shell $(CXX) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
LIBS        := -lboost_program_options -lboost_context -lyaml-cpp -lsodium -lsqlite3 -lncursesw -ltinfo
PROGRAM_LIBS = $(HARDENED) -static-libstdc++ -static-libgcc $(foreach l,$(LIBS:-l%=%),$(call archive,$l))
# Catch2 version 3 is a library, version 2 a header.
TEST_LIBS    = $(if $(findstring /,$(shell $(CXX) -print-file-name=libCatch2.a)),-lCatch2) -lvterm -lutil
# --- Sources and objects -------------------------------------------------------------------------
MAIL_SOURCES := $(sort $(wildcard src/mail/*.cpp))
SOURCES     := $(filter-out $(MAIL_SOURCES),$(sort $(wildcard src/*/*.cpp src/*/*/*.cpp)))
TESTS       := $(sort $(wildcard t/*.cpp $(patsubst src/%,t/%*.cpp,$(wildcard src/*/))))
# Up to twelve sources of a directory are compiled together, in half the time. Slow sources, and
# those that another program replaces or compiles with a definition, are compiled alone;
# make DEV=1 compiles each alone.
SINGLE      := $(if $(DEV),$(SOURCES),$(wildcard src/games/*.cpp src/store/*.cpp) src/cli/paths.cpp src/base/version.cpp)
TOGETHER    := $(filter-out $(SINGLE),$(SOURCES))
unity        = $(if $2,$(eval UNITY_$1 := $(wordlist 1,12,$2))$1 $(call unity,$1+,$(wordlist 13,99,$2)))
UNITY       := $(foreach d,$(sort $(dir $(TOGETHER))),$(call unity,$(subst /,-,$(d:src/%/=%)),$(filter $(wildcard $d*.cpp),$(TOGETHER))))
OBJECTS     := $(patsubst %.cpp,%.o,$(filter src/games/%,$(SINGLE))) $(UNITY:%=unit/%.o) $(patsubst %.cpp,%.o,$(filter-out src/games/%,$(SINGLE)))
LIBRARY_OBJECTS := $(addprefix $(BUILD)/release/,$(OBJECTS))
PROGRAM_OBJECTS := $(LIBRARY_OBJECTS) $(BUILD)/release/src/main.o
TEST_OBJECTS    := $(patsubst %.cpp,$(BUILD)/release/%.o,$(TESTS) t/pictures/screens.cpp)
# The program and its tests once more, with a sixth game.
TOY_TABLE    := $(filter-out %/games/registry.o,$(LIBRARY_OBJECTS)) $(BUILD)/release/t/toy/registry.o $(BUILD)/release/t/toy/noughts.o
TOY_TESTS    := $(filter-out %/t/sixth_game.o,$(TEST_OBJECTS)) $(BUILD)/release/t/toy/sixth_game.o
MAN_PAGES   := $(patsubst man/%.md,$(BUILD)/man/%,$(wildcard man/*.md)) \
  $(patsubst rules/%.md,$(BUILD)/man/pbmplay-%.6,$(wildcard rules/*.md))
# --- Targets -------------------------------------------------------------------------------------
.PHONY: all man run check test install install-files uninstall deps clean help always
## all: build the program, build/pbmplay (needed libraries are installed from Debian)
all: $(BUILD)/pbmplay $(if $(wildcard t/book/tables.cpp),$(BUILD)/make-tables) man
deps:
## man: build the manual pages from man/ and rules/
man: $(MAN_PAGES)
## run: build the program and open the lobby
run: all
	@$(BUILD)/pbmplay
## check: build and run the tests (also: make test)
RUN_TESTS  = PBM_PROGRAM="$$(realpath $(BUILD)/pbmplay)"
TRIED      = $(BUILD)/pbmplay $(BUILD)/pbmplay-mail $(BUILD)/pbmplay-toy $(BUILD)/tests-toy man
check test: $(TRIED) $(BUILD)/tests | $(filter run,$(GOALS))
	@$(RUN_TESTS) $(BUILD)/tests '~[long]~[.]' --jobs $(JOBS)
# --- Compiling -----------------------------------------------------------------------------------
# Precompiled headers: the C++ library's for sources (make lint checks that no source relies on
# them), support.hpp for tests.
LIBRARY_HEADERS := algorithm array chrono filesystem functional map memory optional set span string string_view utility variant vector
FIRST        := $(BUILD)/release/t/first.hpp
# Writes the words $1 to the target only if they changed, so that its dependants stay up to date.
quoted           = '$(subst ','\'',$1)'
remember = @mkdir -p $(@D) && { printf '%s\n' $1 | cmp -s - $@ || printf '%s\n' $1 > $@; }
$(BUILD)/release/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(RELEASE_FLAGS)))
$(BUILD)/release/t/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(T_FLAGS)))
$(BUILD)/%/library.hpp: always
	$(call remember,$(LIBRARY_HEADERS:%='#include <%>'))
$(FIRST): always
	$(call remember,'#include "support.hpp"')
$(UNITY:%=$(BUILD)/unit/%.cpp): $(BUILD)/unit/%.cpp: always
	$(call remember,$(patsubst %,'#include "%"',$(UNITY_$*)))
$(BUILD)/release/library.hpp.gch: $(BUILD)/release/library.hpp $(BUILD)/release/.flags
	@$(CXX) $(RELEASE_FLAGS) -x c++-header $< -o $@
$(FIRST).gch: $(FIRST) t/support.hpp $(BUILD)/release/t/.flags
	@$(CXX) $(T_FLAGS) -MMD -MP -MF $(FIRST).d -x c++-header $< -o $@
# Compiles one source or unit: $1 is a remark for the log, $2 the compiler and its flags.
define compile
	@mkdir -p $(@D)
	@echo "  $(if $(UNITY_$*),$(words $(UNITY_$*)) of $(dir $(firstword $(UNITY_$*))),$<)$1"
	@$2 $(HERE) -iquote . -MMD -MP -c $< -o $@
endef
for_release = $(call compile,,$(CXX) $(RELEASE_FLAGS) -include $(BUILD)/release/library.hpp)
$(BUILD)/release/src/%.o: src/%.cpp $(BUILD)/release/library.hpp.gch
	$(for_release)
$(BUILD)/release/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/release/library.hpp.gch
	$(for_release)
# Tests are not optimized: each runs once.
$(BUILD)/release/t/%.o: t/%.cpp $(FIRST).gch
	$(call compile,,$(CXX) $(T_FLAGS) $(if $(filter t/main.cpp t/bench/% t/pictures/% t/puzzles/% t/book/%,$<),-O1,-include $(FIRST)))
# paths.o knows the directory of an installation, version.o the commit: from VERSION in a tarball,
# from git in a clone, else (another user's clone) the one that was known before.
$(BUILD)/%/src/cli/paths.o: private HERE = -DPBM_DATA='"$(DATADIR)"'
$(foreach k,release sanitized fuzz,$(BUILD)/$k/src/cli/paths.o): $(BUILD)/.datadir
$(BUILD)/.datadir: always
	$(call remember,'$(DATADIR)')
$(BUILD)/%/src/base/version.o: private HERE = -DPBM_COMMIT='"$(shell cat '$(BUILD)/.commit')"'
$(foreach k,release sanitized fuzz,$(BUILD)/$k/src/base/version.o): $(BUILD)/.commit
DESCRIBE = git describe --tags --always --abbrev=10
$(BUILD)/.commit: always
	@mkdir -p $(@D)
	@commit=$$(cat VERSION 2>/dev/null || { [ -e .git ] && $(DESCRIBE) --dirty 2>/dev/null; } || cat $@ 2>/dev/null); \
	  [ -e $@ ] && [ "$$commit" = "$$(cat $@)" ] || echo "$$commit" > $@
always:
# --- Linking -------------------------------------------------------------------------------------
# A program that is built outside of the tree finds its texts through a link beside it.
$(BUILD)/tree:
	@[ $(BUILD)/../rules -ef rules ] || ln -sfn "$$PWD" $@
$(BUILD)/pbmplay: $(PROGRAM_OBJECTS) | $(BUILD)/tree
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(PROGRAM_LIBS)
link = @$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $1
$(BUILD)/pbmplay-toy: $(BUILD)/release/src/main.o $(TOY_TABLE)
	$(call link)
$(BUILD)/tests: $(LIBRARY_OBJECTS) $(TEST_OBJECTS) | $(BUILD)/recorder.so
	$(call link,$(TEST_LIBS))
$(BUILD)/tests-toy: $(TOY_TABLE) $(TOY_TESTS)
	$(call link,$(TEST_LIBS))
# The power cut test loads this into the program.
$(BUILD)/recorder.so: t/power_cut/recorder.cpp t/power_cut/record.hpp
	@mkdir -p $(@D)
	@$(CXX) $(FLAGS) -O1 -fPIC -shared $(CXXFLAGS) -o $@ $<
# --- Manual --------------------------------------------------------------------------------------
PRINT_VERSION = sed -n 's/.*kVersion = "\(.*\)".*/\1/p' src/base/version.hpp
# The date of a page is that of the last commit of its source, or of the file if it has changed.
mdoc = @mkdir -p $(@D) && changed=$${SOURCE_DATE_EPOCH:-$$(git diff --quiet HEAD -- $< 2>/dev/null && git log -1 --format=%ct -- $< 2>/dev/null || true)} && \
	awk $(1) -v version="$$($(PRINT_VERSION))" -v date="$$(LC_ALL=C date -u -d @$${changed:-$$(stat -c %Y $<)} '+%B %-d, %Y')" -f man/mdoc.awk $< > $@
$(BUILD)/man/pbmplay-%.6: rules/%.md man/mdoc.awk src/base/version.hpp
	$(call mdoc,-v game=$*)
$(BUILD)/man/%: man/%.md man/mdoc.awk src/base/version.hpp
	$(call mdoc)
# --- Installing ----------------------------------------------------------------------------------
## install: install below PREFIX (/usr/local), for a package below DESTDIR; BINDIR and SHARE can differ
install: all
	$(install_files)
# Copies without building, so that another user may run it. The program looks for its texts beside
# itself: an installation that is moved still works. systemd escapes blanks and % in its own way.
install-files:
	$(install_files)
COPY   = $(INSTALL) -m 644 -t
TEXTS  = rules themes saves saves/lessons saves/puzzles
UNITS  = pbmplay.service pbmplay.socket pbmplay-bot@.service
page   = '$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $1))'
define install_files
	@$(INSTALL) -d '$(DESTDIR)$(BINDIR)' $(foreach d,man tables $(TEXTS),'$(DESTDIR)$(DATADIR)/$d') \
	  $(foreach d,DOCDIR BASHDIR ZSHDIR FISHDIR UNITDIR,'$(DESTDIR)$($d)') $(foreach s,$(sort $(suffix $(MAN_PAGES))),$(call page,$s))
	@$(INSTALL) -m 755 $(BUILD)/pbmplay '$(DESTDIR)$(BINDIR)/pbmplay'
	@[ ! -e $(BUILD)/pbmplay-mail ] || $(INSTALL) -m 755 $(BUILD)/pbmplay-mail '$(DESTDIR)$(BINDIR)/pbmplay-mail'
	@$(foreach d,$(TEXTS),$(COPY) '$(DESTDIR)$(DATADIR)/$d' $(filter-out $(TEXTS),$(wildcard $d/*)) &&) true
	@$(COPY) '$(DESTDIR)$(DATADIR)/man' man/*.md
	@for f in $(BUILD)/tables/*.table; do [ ! -e "$$f" ] || $(COPY) '$(DESTDIR)$(DATADIR)/tables' "$$f"; done
	@[ ! -x $(BUILD)/make-tables ] || $(BUILD)/make-tables '$(DESTDIR)$(DATADIR)/tables'
	@$(foreach p,$(MAN_PAGES),$(COPY) $(call page,$p) $p &&) true
	@for f in $(wildcard README.md CHANGELOG.md LICENSE) $$(grep -o ']([^):#]*)' README.md | tr -d ']()'); do $(INSTALL) -D -m 644 $$f '$(DESTDIR)$(DOCDIR)'/$$f || exit; done
	@$(INSTALL) -m 644 src/cli/completions/pbmplay.bash '$(DESTDIR)$(BASHDIR)/pbmplay'
	@$(COPY) '$(DESTDIR)$(ZSHDIR)' src/cli/completions/_pbmplay
	@$(COPY) '$(DESTDIR)$(FISHDIR)' src/cli/completions/pbmplay.fish
	@dir=$$(printf %s '$(BINDIR)' | sed 's/%/%%/g; s/ /\\x20/g; s/[\\&|]/\\&/g'); $(foreach u,$(UNITS),sed -e "s|@BINDIR@|$$dir|" -e '/@HARDENED@/{r src/server/hardened.conf' -e 'd;}' 'src/server/$u' | $(INSTALL) -m 644 /dev/stdin '$(DESTDIR)$(UNITDIR)/$u' &&) true
	@echo "Installed $(DESTDIR)$(BINDIR)/pbmplay; make uninstall removes it"
endef
## uninstall: remove what install put there; directories that others use stay
uninstall:
	@rm -f '$(DESTDIR)$(BINDIR)/pbmplay' '$(DESTDIR)$(BINDIR)/pbmplay-mail' '$(DESTDIR)$(BASHDIR)/pbmplay' '$(DESTDIR)$(ZSHDIR)/_pbmplay' '$(DESTDIR)$(FISHDIR)/pbmplay.fish' $(foreach u,$(UNITS),'$(DESTDIR)$(UNITDIR)/$u') $(foreach p,$(MAN_PAGES),$(call page,$p)/'$(notdir $p)')
	@rm -rf '$(DESTDIR)$(DATADIR)' '$(DESTDIR)$(DOCDIR)'
## clean: remove what was built
clean:
	@rm -rf '$(or $(BUILD_PATH),$(BUILD))' $(BUILD_LINK)
## help: list the targets
help:
	@sed -n 's/^## //p' Makefile .ci/*.mk

include $(sort $(filter-out %/setup.mk,$(wildcard .ci/*.mk)))
-include $(patsubst %.o,%.d,$(PROGRAM_OBJECTS) $(TEST_OBJECTS) $(TOY_TABLE) $(TOY_TESTS)) $(FIRST).d
endif
