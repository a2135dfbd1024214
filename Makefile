# SPDX-License-Identifier: MIT
# make help lists the targets. Everything made lies under $(BUILD).
BUILD   ?= build
CXX     ?= g++
OPT     ?= -O2
# Where make install puts things, below DESTDIR if that is set.
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
UNITS    = pbmplay.service pbmplay.socket pbmplay-bot@.service
INSTALL ?= install

SHELL       := /bin/sh
# What does nothing says nothing.
MAKEFLAGS   += --silent --no-print-directory
.DELETE_ON_ERROR:

# make cannot name a file with a blank in its path: it works through a link.
ifneq ($(word 2,$(BUILD)),)
BUILD_LINK     := .build-$(firstword $(shell echo '$(BUILD)' | cksum))
$(shell mkdir -p '$(BUILD)' && ln -sfn '$(BUILD)' $(BUILD_LINK))
BUILD_PATH     := $(BUILD)
override BUILD := $(BUILD_LINK)
endif

# The build runs on every core, and so do the tests, unless the caller said -jN.
SAID_JOBS    = $(filter -j%,$(MAKEFLAGS))
JOBS         = $(or $(patsubst -j%,%,$(SAID_JOBS)),$(shell nproc 2>/dev/null || echo 2))
BUILD_MAKE   = $(MAKE) $(if $(SAID_JOBS),,-j$(JOBS))
RUN_TESTS    = PBM_PROGRAM="$$(realpath $(BUILD)/pbmplay)"

# Which compiler it is, and of which version; nothing where there is none yet.
COMPILER    := $(shell $(CXX) --version 2>/dev/null | head -n 1)
# Some warnings of g++ are left out: in strings put together they find what is not there.
WARNINGS    := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
ifeq ($(findstring clang,$(COMPILER)),)
WARNINGS    += -Wno-array-bounds -Wno-stringop-overflow
NO_GUESSES  := -Wno-maybe-uninitialized
else
# What -Wconversion of g++ leaves out as well, and operators that only a concept asks for.
WARNINGS    += -Wno-sign-conversion -Wno-unneeded-internal-declaration
endif
# make WERROR=1: a warning is an error.
WARNINGS    += $(if $(WERROR),-Werror)
STANDARD    := -std=c++20 -pthread
FLAGS       := $(STANDARD) $(WARNINGS) -Isrc
TEST_FLAGS  := -It
SANITIZE    := -g1 -O1 -fno-omit-frame-pointer $(NO_GUESSES) -fsanitize=address
# C++ libraries are linked in where their archives are there: half of the time
# to the first screen would be spent on finding their symbols.
archive      = $(if $(findstring /,$(shell $(CXX) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
LIBS        := -lboost_program_options -lyaml-cpp -lsodium -lncursesw -ltinfo
PROGRAM_LIBS = -static-libstdc++ -static-libgcc $(call archive,boost_program_options) $(call archive,yaml-cpp) $(call archive,sodium) -lncursesw -ltinfo
# Of Catch2 version 3 is a library, version 2 all header.
CATCH_LIBS   = $(if $(findstring /,$(shell $(CXX) -print-file-name=libCatch2.a)),-lCatch2)
TEST_LIBS    = $(CATCH_LIBS) -lvterm -lutil

SOURCES     := $(sort $(wildcard src/*/*.cpp src/*/*/*.cpp))
TESTS       := $(sort $(wildcard t/*.cpp t/games/*.cpp))

PROGRAM_OBJECTS := $(patsubst %.cpp,$(BUILD)/release/%.o,$(SOURCES) src/main.cpp)
SANITIZED_OBJECTS := $(patsubst %.cpp,$(BUILD)/sanitized/%.o,$(SOURCES))
BENCH_OBJECTS   := $(BUILD)/release/t/bench/bench.o $(BUILD)/release/t/terminal.o
SERVER_BENCH_OBJECTS := $(BUILD)/release/t/bench/server.o
PUZZLE_OBJECTS  := $(BUILD)/release/t/puzzles/puzzles.o
PICTURE_OBJECTS := $(addprefix $(BUILD)/release/t/,pictures/pictures.o pictures/svg.o terminal.o)
TEST_OBJECTS    := $(patsubst %.cpp,$(BUILD)/release/%.o,$(TESTS) t/pictures/svg.cpp)
LIBRARY_OBJECTS := $(filter-out %/src/main.o,$(PROGRAM_OBJECTS))
# The program and its tests with one game more in the table.
TOY_TABLE    := $(filter-out %/games/registry.o,$(LIBRARY_OBJECTS)) $(BUILD)/release/t/toy/registry.o $(BUILD)/release/t/toy/noughts.o
TOY_TESTS    := $(filter-out %/t/sixth_game.o,$(TEST_OBJECTS)) $(BUILD)/release/t/toy/sixth_game.o

DOCS        := $(wildcard README.md CHANGELOG.md LICENSE)
MAN_PAGES   := $(patsubst man/%.md,$(BUILD)/man/%,$(wildcard man/*.md))
GAME_PAGES  := $(patsubst rules/%.md,$(BUILD)/man/pbmplay-%.6,$(wildcard rules/*.md))

TOY          := $(BUILD)/pbmplay-toy $(BUILD)/tests-toy

# What the compiler must find, and the Debian package that has it.
BUILD_HEADERS := curses.h:libncurses-dev boost/program_options.hpp:libboost-program-options-dev boost/asio.hpp:libboost-dev yaml-cpp/yaml.h:libyaml-cpp-dev sodium.h:libsodium-dev
TEST_HEADERS  := t/catch.hpp:catch2 vterm.h:libvterm-dev
# An SSH server is tested with where there is one. It is installed only where
# nothing would start it for good: on a machine of somebody's it would let people in.
TEST_PROGRAMS  = mandoc:mandoc rsync:rsync $(shell [ -d /run/systemd/system ] || [ "$$(id -u)" != 0 ] || echo /usr/sbin/sshd:openssh-server /usr/bin/ssh:openssh-client)
LINT_PROGRAMS := clang-format-16:clang-format-16 clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck mandoc:mandoc
DEB_PROGRAMS := dpkg-shlibdeps:dpkg-dev dpkg-deb:dpkg strip:binutils
BENCH_PROGRAMS := /usr/games/nudoku:nudoku redis-server:redis-server

.PHONY: all man run check test check-sanitized check-long fuzz fuzz-deps bench pictures puzzles fmt lint deb dist install install-files uninstall deps test-deps bench-deps lint-deps deb-deps help clean always
.DEFAULT_GOAL := all

## all: build the program, build/pbmplay (needed libraries are installed from Debian)
all: deps
	@+$(BUILD_MAKE) $(BUILD)/pbmplay man

## man: the manual pages, made from man/ and rules/
man: $(MAN_PAGES) $(GAME_PAGES)
# A page is dated by the last change of its text: of the file, where git knows of none or of none yet.
mdoc = @mkdir -p $(@D) && changed=$${SOURCE_DATE_EPOCH:-$$(git diff --quiet HEAD -- $< 2>/dev/null && git log -1 --format=%ct -- $< 2>/dev/null || true)} && \
	awk $(1) -v date="$$(LC_ALL=C date -u -d @$${changed:-$$(stat -c %Y $<)} '+%B %-d, %Y')" -f man/mdoc.awk $< > $@
$(BUILD)/man/pbmplay-%.6: rules/%.md man/mdoc.awk
	$(call mdoc,-v game=$*)
$(BUILD)/man/%: man/%.md man/mdoc.awk
	$(call mdoc)

## run: build and open the lobby
run: all
	@$(BUILD)/pbmplay

## check: build and run the tests (also: make test)
check test: test-deps
	@+$(BUILD_MAKE) $(BUILD)/pbmplay $(BUILD)/tests $(TOY) man
	@$(RUN_TESTS) $(BUILD)/tests '~[long]' --jobs $(JOBS)

## check-sanitized: the same tests under the address and undefined behaviour sanitizers
check-sanitized: test-deps
	@+$(BUILD_MAKE) $(BUILD)/pbmplay $(BUILD)/tests-sanitized $(TOY) man
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '~[long]' --jobs $(JOBS)

## check-long: the tests that take minutes, then everything under the sanitizers
check-long: check
	@$(RUN_TESTS) $(BUILD)/tests '[long]'
	@+$(BUILD_MAKE) check-sanitized

## fuzz: inputs that follow coverage, SECONDS=60 for each target, two at a time (clang is installed from Debian)
fuzz: deps fuzz-deps
	@$(BUILD_MAKE) $(FUZZ_TARGETS)
	@BUILD='$(BUILD)' SECONDS='$(or $(SECONDS),60)' .ci/fuzz $(notdir $(FUZZ_TARGETS))

## bench: speed, bytes and memory beside another terminal game and another server (nudoku and Redis, installed from Debian)
bench: test-deps bench-deps
	@+$(BUILD_MAKE) $(BUILD)/pbmplay $(BUILD)/bench $(BUILD)/bench-server
	@$(RUN_TESTS) $(BUILD)/bench
	@$(RUN_TESTS) $(BUILD)/bench-server

## compile_commands.json: for editors: how each source is compiled
compile_commands.json: Makefile always
	@{ sep='['; for file in $(SOURCES) src/main.cpp $(sort $(TESTS) $(wildcard t/*/*.cpp)); do \
	  printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' "$$file" \
	    "$(CXX) $(FLAGS) $(TEST_FLAGS) -c $$file"; sep=,; done; printf '\n]\n'; } > $@

## fmt: lay the sources out by .clang-format
fmt:
	@.ci/fmt

## lint: everything that is no test: clang-tidy, cppcheck, shellcheck, mandoc, layout, layers
lint: test-deps lint-deps
	@.ci/lint
	@+$(BUILD_MAKE) -k $(TIDY) $(BUILD)/tests
	@$(RUN_TESTS) $(BUILD)/tests '[layers]'

# A stamp a file, as it takes minutes to look at them all.
TIDY = $(patsubst %.cpp,$(BUILD)/lint/%.tidy,$(SOURCES) src/main.cpp)
$(BUILD)/lint/%.tidy: %.cpp .clang-tidy $(wildcard src/*/*.hpp src/*/*/*.hpp)
	@mkdir -p $(@D)
	@echo "  $< (clang-tidy)"
	@clang-tidy --quiet $< -- $(STANDARD) -Isrc -DPBM_DATA='""' -DPBM_COMMIT='""' 2>/dev/null
	@touch $@

## deb: a Debian package of this tree, build/deb/pbmplay_VERSION_ARCH.deb; .ci/deb-try tries it in a bare Debian
deb: deps deb-deps
	@BUILD='$(BUILD)' .ci/deb

## dist: a tarball of what is committed, build/pbmplay-VERSION.tar.gz, that builds by itself
dist:
	@[ -e .git ] || { echo "make dist packs what is committed: it wants a clone"; exit 1; }
	@git diff --quiet HEAD || echo "What is not committed is not in it"
	@mkdir -p $(BUILD)
	@name=pbmplay-$$(sed -n 's/.*kVersion = "\(.*\)".*/\1/p' src/base/version.hpp) && \
	  git -c tar.umask=022 archive --format=tar --prefix="$$name/" --add-virtual-file="$$name/VERSION:$$($(DESCRIBE))" HEAD > $(BUILD)/dist.tar && \
	  gzip -9nc $(BUILD)/dist.tar > "$(BUILD)/$$name.tar.gz" && rm $(BUILD)/dist.tar && echo "$(BUILD)/$$name.tar.gz"

## install: install below PREFIX (/usr/local), for a package below DESTDIR; BINDIR and SHARE can differ
install: all
	@$(MAKE) --no-print-directory install-files

# What is built already, copied; builds nothing, so it may run as another user
# and while the program is being tested. A tree that is moved afterwards still
# works: the program looks for its texts beside itself.
COPY = $(INSTALL) -m 644 -t
TEXTS = rules themes saves saves/lessons saves/puzzles
PAGES = $(MAN_PAGES) $(GAME_PAGES)
install-files:
	@$(INSTALL) -d '$(DESTDIR)$(BINDIR)' $(foreach d,man $(TEXTS),'$(DESTDIR)$(DATADIR)/$d') \
	  $(foreach d,DOCDIR BASHDIR ZSHDIR FISHDIR UNITDIR,'$(DESTDIR)$($d)') \
	  $(foreach s,$(sort $(suffix $(PAGES))),'$(DESTDIR)$(MANDIR)/man$(s:.%=%)')
	@$(INSTALL) -m 755 $(BUILD)/pbmplay '$(DESTDIR)$(BINDIR)/pbmplay'
	@$(foreach d,$(TEXTS),$(COPY) '$(DESTDIR)$(DATADIR)/$d' $(filter-out $(TEXTS),$(wildcard $d/*)) &&) true
	@$(COPY) '$(DESTDIR)$(DATADIR)/man' man/*.md
	@$(INSTALL) -m 755 -t '$(DESTDIR)$(DATADIR)' src/server/notify-by-mail src/server/copy-boards
	@$(foreach p,$(PAGES),$(COPY) '$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $p))' $p &&) true
	@$(COPY) '$(DESTDIR)$(DOCDIR)' $(DOCS)
	@$(INSTALL) -m 644 src/cli/completions/pbmplay.bash '$(DESTDIR)$(BASHDIR)/pbmplay'
	@$(COPY) '$(DESTDIR)$(ZSHDIR)' src/cli/completions/_pbmplay
	@$(COPY) '$(DESTDIR)$(FISHDIR)' src/cli/completions/pbmplay.fish
	@$(foreach u,$(UNITS),sed 's|@BINDIR@|$(BINDIR)|' 'src/server/$u' | $(INSTALL) -m 644 /dev/stdin '$(DESTDIR)$(UNITDIR)/$u' &&) true
	@echo "Installed $(DESTDIR)$(BINDIR)/pbmplay; make uninstall takes it away again"

## uninstall: remove what install put there; directories that others use stay
uninstall:
	@rm -f '$(DESTDIR)$(BINDIR)/pbmplay' '$(DESTDIR)$(BASHDIR)/pbmplay' '$(DESTDIR)$(ZSHDIR)/_pbmplay' '$(DESTDIR)$(FISHDIR)/pbmplay.fish' $(foreach u,$(UNITS),'$(DESTDIR)$(UNITDIR)/$u') \
	  $(foreach p,$(PAGES),'$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $p))/$(notdir $p)')
	@rm -rf '$(DESTDIR)$(DATADIR)' '$(DESTDIR)$(DOCDIR)'

## pictures: the pictures in the README, man/pictures/, made by the program itself
pictures: test-deps
	@+$(BUILD_MAKE) $(BUILD)/pbmplay $(BUILD)/pictures
	@$(RUN_TESTS) $(BUILD)/pictures man/pictures

## puzzles: the puzzles in saves/puzzles/, out of games of the computer against itself; takes a quarter of an hour
puzzles: test-deps
	@+$(BUILD_MAKE) $(BUILD)/puzzles
	@$(BUILD)/puzzles saves/puzzles

## clean: remove what was built
clean:
	@rm -rf '$(or $(BUILD_PATH),$(BUILD))' $(BUILD_LINK)

## help: this list
help:
	@sed -n 's/^## //p' Makefile

# Looks for the compiler, each HEADER:PACKAGE and PROGRAM:PACKAGE; what is
# missing is installed where there is apt and the right to use it, and looked
# for again; else it is named.
define install_missing
	@look() { \
	  missing=; packages=; \
	  need() { missing="$$missing $$1"; packages="$$packages $$2"; }; \
	  for word in $(filter-out -%,$(CXX)); do \
	    command -v $$word >/dev/null 2>&1 || need $$word "$$(basename $$word | sed 's/clang++/clang/')"; \
	  done; \
	  for pair in $(1); do \
	    echo "#include <$${pair%%:*}>" | $(CXX) $(STANDARD) -I. -E -x c++ - >/dev/null 2>&1 || need $${pair%%:*} $${pair##*:}; \
	  done; \
	  for pair in $(2); do \
	    command -v $${pair%%:*} >/dev/null 2>&1 || need $${pair%%:*} $${pair##*:}; \
	  done; \
	  [ -n "$$missing" ]; \
	}; \
	look || exit 0; \
	as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	if ! command -v apt-get >/dev/null 2>&1; then \
	  echo "Missing:$$missing"; echo "Install what has them; on Debian these are the packages:$$packages"; exit 1; \
	elif [ -n "$$as_root" ] && ! command -v sudo >/dev/null 2>&1; then \
	  echo "Missing:$$missing"; echo "As root: apt-get install$$packages"; exit 1; \
	fi; \
	echo "Installing$$packages"; \
	$$as_root apt-get -qq update && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$packages >/dev/null || \
	{ echo "Could not install them. As root: apt-get install$$packages"; exit 1; }; \
	if look; then echo "Still missing:$$missing"; exit 1; fi
endef

# The stamps spare every later make the looking, until there is another
# compiler; a new library shows itself in the build.
$(BUILD)/.compiler: always
	@mkdir -p $(@D)
	@[ -e $@ ] || { echo '$(CXX): $(COMPILER)' > $@; touch -d @0 $@; }
	@[ "$$(cat $@ 2>/dev/null)" = '$(CXX): $(COMPILER)' ] || echo '$(CXX): $(COMPILER)' > $@
$(BUILD)/.deps: $(BUILD)/.compiler
	$(call install_missing,$(BUILD_HEADERS),)
	@touch $@
$(BUILD)/.test-deps: $(BUILD)/.compiler
	$(call install_missing,$(BUILD_HEADERS) $(TEST_HEADERS),$(TEST_PROGRAMS))
	@touch $(BUILD)/.deps $@

deps: $(BUILD)/.deps
test-deps: $(BUILD)/.test-deps
lint-deps:
	$(call install_missing,,$(LINT_PROGRAMS))
deb-deps:
	$(call install_missing,,$(DEB_PROGRAMS))
bench-deps:
	$(call install_missing,,$(BENCH_PROGRAMS))

# The library's headers that nearly every source includes are read once, which
# takes a third off the time. A source must not lean on it: make lint goes without.
LIBRARY_HEADERS := algorithm array chrono filesystem functional map memory optional set span string string_view utility variant vector
RELEASE_FLAGS   := $(FLAGS) $(OPT) $(CXXFLAGS)
SANITIZED_FLAGS := $(FLAGS) $(SANITIZE),undefined -fno-sanitize-recover=undefined $(CXXFLAGS)
$(BUILD)/%/src/library.hpp: always
	@mkdir -p $(@D)
	@printf '#include <%s>\n' $(LIBRARY_HEADERS) | cmp -s - $@ || printf '#include <%s>\n' $(LIBRARY_HEADERS) > $@
$(BUILD)/release/src/library.hpp.gch: $(BUILD)/release/src/library.hpp $(BUILD)/.compiler
	@$(CXX) $(RELEASE_FLAGS) -x c++-header $< -o $@
$(BUILD)/sanitized/src/library.hpp.gch: $(BUILD)/sanitized/src/library.hpp $(BUILD)/.compiler
	@$(CXX) $(SANITIZED_FLAGS) -x c++-header $< -o $@

$(BUILD)/release/src/%.o: src/%.cpp $(BUILD)/release/src/library.hpp.gch
	@mkdir -p $(@D)
	@echo "  $<"
	@$(CXX) $(RELEASE_FLAGS) $(HERE) -include $(BUILD)/release/src/library.hpp -MMD -MP -c $< -o $@

$(BUILD)/sanitized/src/%.o: src/%.cpp $(BUILD)/sanitized/src/library.hpp.gch
	@mkdir -p $(@D)
	@echo "  $< (sanitized)"
	@$(CXX) $(SANITIZED_FLAGS) $(HERE) -include $(BUILD)/sanitized/src/library.hpp -MMD -MP -c $< -o $@

# The one object that knows where the program will be installed.
$(BUILD)/%/src/cli/paths.o: private HERE = -DPBM_DATA='"$(DATADIR)"'
$(BUILD)/release/src/cli/paths.o $(BUILD)/sanitized/src/cli/paths.o: $(BUILD)/.datadir
$(BUILD)/.datadir: always
	@mkdir -p $(@D)
	@[ "$$(cat $@ 2>/dev/null)" = '$(DATADIR)' ] || echo '$(DATADIR)' > $@
# The one that knows what it is built from: of a tarball its VERSION says it, of a clone git.
# Where neither does (another's clone, as with sudo make install) what was known last stays.
$(BUILD)/%/src/base/version.o: private HERE = -DPBM_COMMIT='"$(shell cat '$(BUILD)/.commit')"'
$(BUILD)/release/src/base/version.o $(BUILD)/sanitized/src/base/version.o: $(BUILD)/.commit
DESCRIBE = git describe --tags --always --abbrev=10
$(BUILD)/.commit: always
	@mkdir -p $(@D)
	@commit=$$(cat VERSION 2>/dev/null || { [ -e .git ] && $(DESCRIBE) --dirty 2>/dev/null; } || cat $@ 2>/dev/null); \
	  [ -e $@ ] && [ "$$commit" = "$$(cat $@)" ] || echo "$$commit" > $@
always:

# Tests are compiled once and run once: what they test is optimized, not they,
# and what all of them include is read once.
FIRST := $(BUILD)/release/t/first.hpp
$(FIRST).gch: t/support.hpp $(BUILD)/.compiler
	@mkdir -p $(@D)
	@echo '#include "support.hpp"' > $(FIRST)
	@$(CXX) $(FLAGS) $(TEST_FLAGS) $(CXXFLAGS) -MMD -MP -MF $(FIRST).d -x c++-header $(FIRST) -o $@

$(BUILD)/release/t/%.o: t/%.cpp $(FIRST).gch
	@mkdir -p $(@D)
	@echo "  $<"
	@$(CXX) $(FLAGS) $(TEST_FLAGS) $(if $(filter t/main.cpp t/bench/% t/pictures/% t/puzzles/%,$<),-O1,-include $(FIRST)) $(CXXFLAGS) -MMD -MP -c $< -o $@

# Built elsewhere, the program finds its texts by a link beside it.
$(BUILD)/tree:
	@[ $(BUILD)/../rules -ef rules ] || ln -sfn "$$PWD" $@

$(BUILD)/pbmplay: $(PROGRAM_OBJECTS) | $(BUILD)/tree
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(PROGRAM_LIBS)

# Loaded into the program by the power cut test.
$(BUILD)/recorder.so: t/power_cut/recorder.cpp t/power_cut/record.hpp
	@mkdir -p $(@D)
	@$(CXX) $(FLAGS) -O1 -fPIC -shared $(CXXFLAGS) -o $@ $<

$(BUILD)/tests $(BUILD)/tests-sanitized: | $(BUILD)/recorder.so

$(BUILD)/tests: $(LIBRARY_OBJECTS) $(TEST_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

$(BUILD)/pbmplay-toy: $(BUILD)/release/src/main.o $(TOY_TABLE)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/tests-toy: $(TOY_TABLE) $(TOY_TESTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

# The tests themselves are those of the other build: it is the program that is looked into.
$(BUILD)/tests-sanitized: $(SANITIZED_OBJECTS) $(TEST_OBJECTS)
	@$(CXX) $(STANDARD) $(SANITIZE),undefined -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

$(BUILD)/pictures: $(LIBRARY_OBJECTS) $(PICTURE_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

$(BUILD)/puzzles: $(LIBRARY_OBJECTS) $(PUZZLE_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/bench: $(LIBRARY_OBJECTS) $(BENCH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

$(BUILD)/bench-server: $(SERVER_BENCH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS)

# Fuzzing: the sources once with clang, its sanitizers and what follows coverage;
# of the tests what makes test apps and servers, without Catch2 (t/fuzz/catch2).
FUZZ_CXX     ?= clang++
FUZZ_FLAGS   := $(STANDARD) -Isrc -g1 -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_TARGETS := $(patsubst %,$(BUILD)/fuzz/%,saves moves texts server wire keys)
FUZZ_OBJECTS := $(patsubst %.cpp,$(BUILD)/fuzz/%.o,$(SOURCES))
FUZZ_SUPPORT := $(patsubst %,$(BUILD)/fuzz/t/%.o,fuzz/target support test_app)
.PRECIOUS: $(BUILD)/fuzz/%.o

# The run-time library has a package of its own, one for each version of clang.
fuzz-deps: $(BUILD)/fuzz/.deps
$(BUILD)/fuzz/.deps:
	$(call install_missing,,$(FUZZ_CXX):clang)
	@mkdir -p $(@D)
	@echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > $(@D)/empty.cpp
	@try() { $(FUZZ_CXX) -fsanitize=fuzzer,address,undefined $(@D)/empty.cpp -o $(@D)/empty 2>/dev/null; }; \
	version=$$($(FUZZ_CXX) -dumpversion | cut -d. -f1); package=libclang-rt-$$version-dev; sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	try || { echo "Installing $$package"; command -v apt-get >/dev/null 2>&1 && $$sudo apt-get -qq update && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$package >/dev/null && try; } || \
	{ echo "This clang has no libFuzzer. As root: apt-get install $$package"; exit 1; }
	@touch $@

$(BUILD)/fuzz/src/library.hpp.pch: $(BUILD)/fuzz/src/library.hpp
	@$(FUZZ_CXX) $(FUZZ_FLAGS) -x c++-header $< -o $@
$(BUILD)/fuzz/src/%.o: src/%.cpp $(BUILD)/fuzz/src/library.hpp.pch
	@mkdir -p $(@D)
	@echo "  $< (fuzz)"
	@$(FUZZ_CXX) $(FUZZ_FLAGS) $(HERE) -include-pch $(BUILD)/fuzz/src/library.hpp.pch -MMD -MP -c $< -o $@
$(BUILD)/fuzz/src/cli/paths.o: $(BUILD)/.datadir
$(BUILD)/fuzz/t/%.o: t/%.cpp
	@mkdir -p $(@D)
	@echo "  $< (fuzz)"
	@$(FUZZ_CXX) $(FUZZ_FLAGS) -It/fuzz $(TEST_FLAGS) -MMD -MP -c $< -o $@
$(FUZZ_TARGETS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/t/fuzz/%.o $(FUZZ_SUPPORT) $(FUZZ_OBJECTS)
	@$(FUZZ_CXX) $(STANDARD) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)
-include $(patsubst %.o,%.d,$(FUZZ_OBJECTS) $(FUZZ_SUPPORT)) $(patsubst $(BUILD)/fuzz/%,$(BUILD)/fuzz/t/fuzz/%.d,$(FUZZ_TARGETS))

-include $(patsubst %.o,%.d,$(PROGRAM_OBJECTS) $(SANITIZED_OBJECTS) $(TEST_OBJECTS) $(BENCH_OBJECTS) $(SERVER_BENCH_OBJECTS) $(PUZZLE_OBJECTS) $(PICTURE_OBJECTS) $(TOY_TABLE) $(TOY_TESTS)) $(FIRST).d
