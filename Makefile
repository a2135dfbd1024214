# SPDX-License-Identifier: MIT
# make help lists the targets. Everything made lies under $(BUILD).
BUILD   ?= build
CXX     ?= g++
FUZZ_CXX ?= clang++
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
CORES       := $(shell nproc 2>/dev/null || echo 2)
SAID_JOBS    = $(filter -j%,$(MAKEFLAGS))
JOBS         = $(or $(patsubst -j%,%,$(SAID_JOBS)),$(CORES))
RUN_TESTS    = PBM_PROGRAM="$$(realpath $(BUILD)/pbmplay)"
GOALS       := $(or $(MAKECMDGOALS),all)
STANDARD    := -std=c++20 -pthread

# What must be there, and the Debian package that has it.
NEEDED      := curses.h:libncurses-dev boost/program_options.hpp:libboost-program-options-dev boost/context/fiber.hpp:libboost-context-dev yaml-cpp/yaml.h:libyaml-cpp-dev sodium.h:libsodium-dev sqlite3.h:libsqlite3-dev
# An SSH server is tested with where there is one. It is installed only where
# nothing would start it for good: on a machine of somebody's it would let people in.
TEST_PROGRAMS = mandoc:mandoc sqlite3:sqlite3 $(shell [ -d /run/systemd/system ] || [ "$$(id -u)" != 0 ] || echo /usr/sbin/sshd:openssh-server /usr/bin/ssh:openssh-client)
# So is Postfix, which no runlevel of the installation starts; without it a test is skipped.
POSTFIX       = [ -x /usr/sbin/postfix ] || [ -d /run/systemd/system ] || [ "$$(id -u)" != 0 ] || \
	RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends postfix >/dev/null 2>&1 || \
	echo "Postfix cannot be installed: what wants one is skipped"
TEST_NEEDED   = $(NEEDED) $(NEEDED_mail) t/catch.hpp:catch2 vterm.h:libvterm-dev $(TEST_PROGRAMS)
NEEDED_lint   = clang-format-16:clang-format-16 clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck
NEEDED_deb    = $(NEEDED_mail) dpkg-shlibdeps:dpkg-dev dpkg-deb:dpkg strip:binutils
NEEDED_bench  = /usr/games/nudoku:nudoku redis-server:redis-server
NEEDED_mail   = gmime-3.0/gmime/gmime-version.h:libgmime-3.0-dev
NEEDED_fuzz   = $(FUZZ_CXX):clang -fsanitize=fuzzer:libclang-rt-dev $(NEEDED_mail)
NEEDED_fuzz-deps = $(NEEDED_fuzz)

# These goals need nothing but a shell, these only what the program needs; the others the tests' too.
NEED_NOTHING := help clean fmt dist uninstall install-files compile_commands.json man
NEED_LITTLE  := all run mail install deps deb

ifneq ($(filter-out $(NEED_NOTHING),$(if $(PBM_INSTALLED),,$(GOALS))),)
# One make looks for what all goals need and installs what is missing, once and
# before anything else; another, below it, then builds them all.
.PHONY: $(GOALS) installed
$(GOALS): installed ;
installed:
	@mkdir -p $(BUILD)
	@CXX='$(CXX)' FLAGS='$(STANDARD) -I.' FOUND=$(BUILD)/.found .ci/install \
	  $(if $(filter-out $(NEED_NOTHING) $(NEED_LITTLE),$(GOALS)),$(TEST_NEEDED),$(NEEDED)) $(foreach g,$(GOALS),$(NEEDED_$g))
	@$(if $(filter check test check-long check-sanitized,$(GOALS)),$(POSTFIX))
	@+$(MAKE) PBM_INSTALLED=yes $(if $(SAID_JOBS),,-j$(JOBS)) $(if $(filter lint,$(GOALS)),-k) $(GOALS)
else

# Which compiler it is, and of which version.
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
FLAGS       := $(STANDARD) $(WARNINGS) -Isrc
TEST_FLAGS  := -It
SANITIZE    := -g1 -O1 -fno-omit-frame-pointer $(NO_GUESSES) -fsanitize=address
# C++ libraries are linked in where their archives are there: half of the time
# to the first screen would be spent on finding their symbols.
archive      = $(if $(findstring /,$(shell $(CXX) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1))
LIBS        := -lboost_program_options -lboost_context -lyaml-cpp -lsodium -lsqlite3 -lncursesw -ltinfo
PROGRAM_LIBS = -static-libstdc++ -static-libgcc $(call archive,boost_program_options) $(call archive,boost_context) $(call archive,yaml-cpp) $(call archive,sodium) $(call archive,sqlite3) $(call archive,ncursesw) $(call archive,tinfo)
# Of Catch2 version 3 is a library, version 2 all header.
CATCH_LIBS   = $(if $(findstring /,$(shell $(CXX) -print-file-name=libCatch2.a)),-lCatch2)
TEST_LIBS    = $(CATCH_LIBS) -lvterm -lutil

MAIL_SOURCES := $(sort $(wildcard src/mail/*.cpp))
SOURCES     := $(filter-out $(MAIL_SOURCES),$(sort $(wildcard src/*/*.cpp src/*/*/*.cpp)))
TESTS       := $(sort $(wildcard t/*.cpp $(patsubst src/%,t/%*.cpp,$(wildcard src/*/))))

# The sources of a directory are compiled together, up to twelve in a unit, which
# takes half the time; by themselves those that are dear, or that are replaced or
# defined otherwise somewhere. make DEV=1 compiles each by itself, for who changes them.
SINGLE      := $(if $(DEV),$(SOURCES),$(wildcard src/games/*.cpp src/store/*.cpp) src/cli/paths.cpp src/base/version.cpp)
TOGETHER    := $(filter-out $(SINGLE),$(SOURCES))
unity        = $(if $2,$(eval UNITY_$1 := $(wordlist 1,12,$2))$1 $(call unity,$1+,$(wordlist 13,99,$2)))
UNITY       := $(foreach d,$(sort $(dir $(TOGETHER))),$(call unity,$(subst /,-,$(d:src/%/=%)),$(filter $(wildcard $d*.cpp),$(TOGETHER))))
OBJECTS     := $(patsubst %.cpp,%.o,$(filter src/games/%,$(SINGLE))) $(UNITY:%=unit/%.o) $(patsubst %.cpp,%.o,$(filter-out src/games/%,$(SINGLE)))

LIBRARY_OBJECTS := $(addprefix $(BUILD)/release/,$(OBJECTS))
PROGRAM_OBJECTS := $(LIBRARY_OBJECTS) $(BUILD)/release/src/main.o
SANITIZED_OBJECTS := $(addprefix $(BUILD)/sanitized/,$(OBJECTS))
# The gateway is a program of its own, which nobody needs who only plays: GMime is its alone.
MAIL_PARTS      := $(foreach d,base boards engine game games protocol save store,unit/$d% src/$d/%)
MAIL_OBJECTS    := $(MAIL_SOURCES:%.cpp=$(BUILD)/release/%.o) $(filter $(MAIL_PARTS:%=$(BUILD)/release/%.o),$(LIBRARY_OBJECTS))
GMIME_FLAGS      = $(subst -I,-isystem ,$(shell pkg-config --cflags gmime-3.0 2>/dev/null))
GMIME_LIBS       = $(shell pkg-config --libs gmime-3.0 2>/dev/null)
BENCH_OBJECTS   := $(BUILD)/release/t/bench/bench.o $(BUILD)/release/t/terminal.o
SERVER_BENCH_OBJECTS := $(BUILD)/release/t/bench/server.o
# Each game once more, thought about by the plain engine.
PLAIN_OBJECTS   := $(patsubst src/games/%.cpp,$(BUILD)/release/t/bench/plain/%.o,$(filter-out %/registry.cpp,$(wildcard src/games/*.cpp)))
STRENGTH_OBJECTS := $(BUILD)/release/t/bench/strength.o $(PLAIN_OBJECTS)
PUZZLE_OBJECTS  := $(BUILD)/release/t/puzzles/puzzles.o
BOOK_OBJECTS    := $(BUILD)/release/t/book/book.o
PICTURE_OBJECTS := $(addprefix $(BUILD)/release/t/,pictures/pictures.o pictures/svg.o terminal.o)
TEST_OBJECTS    := $(patsubst %.cpp,$(BUILD)/release/%.o,$(TESTS) t/pictures/svg.cpp)
# The program and its tests with one game more in the table.
TOY_TABLE    := $(filter-out %/games/registry.o,$(LIBRARY_OBJECTS)) $(BUILD)/release/t/toy/registry.o $(BUILD)/release/t/toy/noughts.o
TOY_TESTS    := $(filter-out %/t/sixth_game.o,$(TEST_OBJECTS)) $(BUILD)/release/t/toy/sixth_game.o

DOCS        := $(wildcard README.md CHANGELOG.md LICENSE)
MAN_PAGES   := $(patsubst man/%.md,$(BUILD)/man/%,$(wildcard man/*.md))
GAME_PAGES  := $(patsubst rules/%.md,$(BUILD)/man/pbmplay-%.6,$(wildcard rules/*.md))

FUZZ_TARGETS := $(patsubst %,$(BUILD)/fuzz/%,saves moves texts server listener wire keys mails)
TIDY         := $(patsubst %.cpp,$(BUILD)/lint/%.tidy,$(SOURCES) src/main.cpp)
TOY          := $(BUILD)/pbmplay-toy $(BUILD)/tests-toy

.PHONY: all mail man run check test check-sanitized check-long check-bare fuzz fuzz-deps bench levels fit pictures puzzles book fmt lint deb dist install install-files uninstall deps clean help always
.DEFAULT_GOAL := all

## all: build the program, build/pbmplay (needed libraries are installed from Debian)
all: $(BUILD)/pbmplay man
deps fuzz-deps:

## mail: build the mail gateway, build/pbmplay-mail, as well; make install then installs it too
mail: all $(BUILD)/pbmplay-mail

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
check test: $(BUILD)/pbmplay $(BUILD)/pbmplay-mail $(BUILD)/tests $(TOY) man | $(filter run,$(GOALS))
	@$(RUN_TESTS) $(BUILD)/tests '~[long]~[.]' --jobs $(JOBS)

## check-sanitized: the same tests under the address and undefined behaviour sanitizers
check-sanitized: $(BUILD)/pbmplay $(BUILD)/pbmplay-mail $(BUILD)/tests-sanitized $(TOY) man | $(filter run check test check-long,$(GOALS))
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '~[long]~[.]' --jobs $(JOBS)

## check-long: the tests that take minutes, then everything under the sanitizers
check-long: check $(BUILD)/tests-sanitized
	@$(RUN_TESTS) $(BUILD)/tests '[long]' --jobs $(JOBS)
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '~[long]~[.]' --jobs $(JOBS)

## check-bare: the README's two commands in a bare Debian 12 and 13, as root and as a user (as root, with debootstrap; half an hour)
check-bare:
	@.ci/check-bare

## fuzz: inputs that follow coverage, SECONDS=60 for each target, two at a time (clang is installed from Debian)
fuzz: $(FUZZ_TARGETS)
	@BUILD='$(BUILD)' SECONDS='$(or $(SECONDS),60)' .ci/fuzz $(notdir $(FUZZ_TARGETS))

## bench: speed, bytes and memory beside another terminal game and another server (nudoku and Redis, installed from Debian), the computer beside a plain engine
bench: $(BUILD)/pbmplay $(BUILD)/bench $(BUILD)/bench-server $(BUILD)/bench-strength
	@$(RUN_TESTS) $(BUILD)/bench
	@$(RUN_TESTS) $(BUILD)/bench-server
	@$(BUILD)/bench-strength

## levels: plays anew the rows of t/levels.txt that begin with ROWS="flooprail: 4", all without, with GAMES=200; goes on where it was broken off
levels: $(BUILD)/pbmplay
	@BUILD='$(BUILD)' ROWS='$(ROWS)' GAMES='$(GAMES)' .ci/levels

## fit: what the terms of each game's estimate are worth, out of games of its own
fit: $(BUILD)/fit
	@for game in toot 'toot -tootris' flooprail 'flooprail -reverse' plotto chaos soccolot; do $(BUILD)/fit $$game 2000 500; done

## compile_commands.json: for editors: how each source is compiled
compile_commands.json: Makefile always
	@{ sep='['; for file in $(SOURCES) src/main.cpp $(sort $(TESTS) $(wildcard t/*/*.cpp)); do \
	  printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' "$$file" \
	    "$(CXX) $(FLAGS) $(TEST_FLAGS) -c $$file"; sep=,; done; printf '\n]\n'; } > $@

## fmt: lay the sources out by .clang-format
fmt:
	@.ci/fmt

## lint: everything that is no test: clang-tidy, cppcheck, shellcheck, mandoc, layout, layers
lint: $(TIDY) $(BUILD)/tests man
	@.ci/lint
	@$(RUN_TESTS) $(BUILD)/tests '[layers]'

# A stamp a file, as it takes minutes to look at them all.
$(BUILD)/lint/%.tidy: %.cpp .clang-tidy $(wildcard src/*/*.hpp src/*/*/*.hpp)
	@mkdir -p $(@D)
	@echo "  $< (clang-tidy)"
	@clang-tidy --quiet $< -- $(STANDARD) -Isrc -DPBM_DATA='""' -DPBM_COMMIT='""' 2>/dev/null
	@touch $@

## deb: a Debian package of this tree, build/deb/pbmplay_VERSION_ARCH.deb; .ci/deb-try tries it in a bare Debian
deb:
	@BUILD='$(BUILD)' .ci/deb

## dist: a tarball of what is committed, build/pbmplay-VERSION.tar.gz, that builds by itself
dist:
	@[ -e .git ] && git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "make dist packs what is committed: it wants git and a clone"; exit 1; }
	@git diff --quiet HEAD || echo "What is not committed is not in it"
	@mkdir -p $(BUILD)
	@name=pbmplay-$$(sed -n 's/.*kVersion = "\(.*\)".*/\1/p' src/base/version.hpp) && \
	  git -c tar.umask=022 archive --format=tar --prefix="$$name/" --add-virtual-file="$$name/VERSION:$$($(DESCRIBE))" HEAD > $(BUILD)/dist.tar && \
	  gzip -9nc $(BUILD)/dist.tar > "$(BUILD)/$$name.tar.gz" && rm $(BUILD)/dist.tar && echo "$(BUILD)/$$name.tar.gz"

## install: install below PREFIX (/usr/local), for a package below DESTDIR; BINDIR and SHARE can differ
install: all
	$(install_files)

# What is built already, copied; builds nothing, so it may run as another user
# and while the program is being tested. A tree that is moved afterwards still
# works: the program looks for its texts beside itself.
# With the README goes what it links to. systemd.exec has its own way to write a blank and a %.
COPY = $(INSTALL) -m 644 -t
TEXTS = rules themes saves saves/lessons saves/puzzles
PAGES = $(MAN_PAGES) $(GAME_PAGES)
install-files:
	$(install_files)
define install_files
	@$(INSTALL) -d '$(DESTDIR)$(BINDIR)' $(foreach d,man $(TEXTS),'$(DESTDIR)$(DATADIR)/$d') \
	  $(foreach d,DOCDIR BASHDIR ZSHDIR FISHDIR UNITDIR,'$(DESTDIR)$($d)') \
	  $(foreach s,$(sort $(suffix $(PAGES))),'$(DESTDIR)$(MANDIR)/man$(s:.%=%)')
	@$(INSTALL) -m 755 $(BUILD)/pbmplay '$(DESTDIR)$(BINDIR)/pbmplay'
	@[ ! -e $(BUILD)/pbmplay-mail ] || $(INSTALL) -m 755 $(BUILD)/pbmplay-mail '$(DESTDIR)$(BINDIR)/pbmplay-mail'
	@$(foreach d,$(TEXTS),$(COPY) '$(DESTDIR)$(DATADIR)/$d' $(filter-out $(TEXTS),$(wildcard $d/*)) &&) true
	@$(COPY) '$(DESTDIR)$(DATADIR)/man' man/*.md
	@$(foreach p,$(PAGES),$(COPY) '$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $p))' $p &&) true
	@for f in $(DOCS) $$(grep -o ']([^):#]*)' README.md | tr -d ']()'); do $(INSTALL) -D -m 644 $$f '$(DESTDIR)$(DOCDIR)'/$$f || exit; done
	@$(INSTALL) -m 644 src/cli/completions/pbmplay.bash '$(DESTDIR)$(BASHDIR)/pbmplay'
	@$(COPY) '$(DESTDIR)$(ZSHDIR)' src/cli/completions/_pbmplay
	@$(COPY) '$(DESTDIR)$(FISHDIR)' src/cli/completions/pbmplay.fish
	@dir=$$(printf %s '$(BINDIR)' | sed 's/%/%%/g; s/ /\\x20/g; s/[\\&|]/\\&/g'); $(foreach u,$(UNITS),sed -e "s|@BINDIR@|$$dir|" -e '/@HARDENED@/{r src/server/hardened.conf' -e 'd;}' 'src/server/$u' | $(INSTALL) -m 644 /dev/stdin '$(DESTDIR)$(UNITDIR)/$u' &&) true
	@echo "Installed $(DESTDIR)$(BINDIR)/pbmplay; make uninstall takes it away again"
endef

## uninstall: remove what install put there; directories that others use stay
uninstall:
	@rm -f '$(DESTDIR)$(BINDIR)/pbmplay' '$(DESTDIR)$(BINDIR)/pbmplay-mail' '$(DESTDIR)$(BASHDIR)/pbmplay' '$(DESTDIR)$(ZSHDIR)/_pbmplay' '$(DESTDIR)$(FISHDIR)/pbmplay.fish' $(foreach u,$(UNITS),'$(DESTDIR)$(UNITDIR)/$u') \
	  $(foreach p,$(PAGES),'$(DESTDIR)$(MANDIR)/man$(patsubst .%,%,$(suffix $p))/$(notdir $p)')
	@rm -rf '$(DESTDIR)$(DATADIR)' '$(DESTDIR)$(DOCDIR)'

## pictures: the pictures in the README, man/pictures/, made by the program itself
pictures: $(BUILD)/pbmplay $(BUILD)/pictures
	@$(RUN_TESTS) $(BUILD)/pictures man/pictures

## puzzles: the puzzles in saves/puzzles/, out of games of the computer against itself; takes a quarter of an hour
puzzles: $(BUILD)/puzzles
	@$(BUILD)/puzzles saves/puzzles

## book: the opening book of Toot, src/games/toot_book.inc, solved anew; takes two minutes
book: $(BUILD)/book
	@$(BUILD)/book > $(BUILD)/toot_book.inc && mv $(BUILD)/toot_book.inc src/games/

## clean: remove what was built
clean:
	@rm -rf '$(or $(BUILD_PATH),$(BUILD))' $(BUILD_LINK)

## help: this list
help:
	@sed -n 's/^## //p' Makefile

# The library's headers that nearly every source includes are read once, which
# takes a third off the time. A source must not lean on it: make lint goes without.
LIBRARY_HEADERS := algorithm array chrono filesystem functional map memory optional set span string string_view utility variant vector
RELEASE_FLAGS   := $(FLAGS) $(OPT) $(CXXFLAGS)
SANITIZED_FLAGS := $(FLAGS) $(SANITIZE),undefined -fno-sanitize-recover=undefined $(CXXFLAGS)
FUZZ_FLAGS      := $(STANDARD) -Isrc -g1 -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
T_FLAGS         := $(FLAGS) $(TEST_FLAGS) $(CXXFLAGS)
# Keeps the words $1 in the file: it is written, and what depends on it made anew, only when they change.
quoted           = '$(subst ','\'',$1)'
define remember
	@mkdir -p $(@D)
	@printf '%s\n' $1 | cmp -s - $@ || printf '%s\n' $1 > $@
endef
$(BUILD)/release/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(RELEASE_FLAGS)))
$(BUILD)/sanitized/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(SANITIZED_FLAGS)))
$(BUILD)/fuzz/.flags: always
	$(call remember,$(call quoted,$(FUZZ_CXX) $(FUZZ_FLAGS)))
$(BUILD)/release/t/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(T_FLAGS)))
$(BUILD)/%/library.hpp: always
	$(call remember,$(LIBRARY_HEADERS:%='#include <%>'))
$(UNITY:%=$(BUILD)/unit/%.cpp): $(BUILD)/unit/%.cpp: always
	$(call remember,$(patsubst %,'#include "%"',$(UNITY_$*)))

$(BUILD)/release/library.hpp.gch: $(BUILD)/release/library.hpp $(BUILD)/release/.flags
	@$(CXX) $(RELEASE_FLAGS) -x c++-header $< -o $@
$(BUILD)/sanitized/library.hpp.gch: $(BUILD)/sanitized/library.hpp $(BUILD)/sanitized/.flags
	@$(CXX) $(SANITIZED_FLAGS) -x c++-header $< -o $@
$(BUILD)/fuzz/library.hpp.pch: $(BUILD)/fuzz/library.hpp $(BUILD)/fuzz/.flags
	@$(FUZZ_CXX) $(FUZZ_FLAGS) -x c++-header $< -o $@

# Compiles one source or unit: $1 says what for, $2 how.
define compile
	@mkdir -p $(@D)
	@echo "  $(if $(UNITY_$*),$(words $(UNITY_$*)) of $(dir $(firstword $(UNITY_$*))),$<)$1"
	@$2 $(HERE) -iquote . -MMD -MP -c $< -o $@
endef
for_release   = $(call compile,,$(CXX) $(RELEASE_FLAGS) -include $(BUILD)/release/library.hpp)
for_sanitized = $(call compile, (sanitized),$(CXX) $(SANITIZED_FLAGS) -include $(BUILD)/sanitized/library.hpp)
for_fuzz      = $(call compile, (fuzz),$(FUZZ_CXX) $(FUZZ_FLAGS) -include-pch $(BUILD)/fuzz/library.hpp.pch)
$(BUILD)/release/src/%.o: src/%.cpp $(BUILD)/release/library.hpp.gch
	$(for_release)
$(BUILD)/release/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/release/library.hpp.gch
	$(for_release)
$(BUILD)/sanitized/src/%.o: src/%.cpp $(BUILD)/sanitized/library.hpp.gch
	$(for_sanitized)
$(BUILD)/sanitized/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/sanitized/library.hpp.gch
	$(for_sanitized)
$(BUILD)/fuzz/src/%.o: src/%.cpp $(BUILD)/fuzz/library.hpp.pch
	$(for_fuzz)
$(BUILD)/fuzz/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/fuzz/library.hpp.pch
	$(for_fuzz)

# The one object that knows where the program will be installed.
$(BUILD)/%/src/cli/paths.o: private HERE = -DPBM_DATA='"$(DATADIR)"'
$(foreach k,release sanitized fuzz,$(BUILD)/$k/src/cli/paths.o): $(BUILD)/.datadir
$(BUILD)/.datadir: always
	$(call remember,'$(DATADIR)')
# The one that knows what it is built from: of a tarball its VERSION says it, of a clone git.
# Where neither does (another's clone, as with sudo make install) what was known last stays.
$(BUILD)/%/src/base/version.o: private HERE = -DPBM_COMMIT='"$(shell cat '$(BUILD)/.commit')"'
$(foreach k,release sanitized fuzz,$(BUILD)/$k/src/base/version.o): $(BUILD)/.commit
DESCRIBE = git describe --tags --always --abbrev=10
$(BUILD)/.commit: always
	@mkdir -p $(@D)
	@commit=$$(cat VERSION 2>/dev/null || { [ -e .git ] && $(DESCRIBE) --dirty 2>/dev/null; } || cat $@ 2>/dev/null); \
	  [ -e $@ ] && [ "$$commit" = "$$(cat $@)" ] || echo "$$commit" > $@
always:

# Tests are compiled once and run once: what they test is optimized, not they,
# and what all of them include is read once.
FIRST        := $(BUILD)/release/t/first.hpp
FIRST_HEADERS := support.hpp
$(FIRST): always
	$(call remember,$(FIRST_HEADERS:%='#include "%"'))
$(FIRST).gch: $(FIRST) $(FIRST_HEADERS:%=t/%) $(BUILD)/release/t/.flags
	@$(CXX) $(T_FLAGS) -MMD -MP -MF $(FIRST).d -x c++-header $< -o $@

$(BUILD)/release/t/%.o: t/%.cpp $(FIRST).gch
	$(call compile,,$(CXX) $(T_FLAGS) $(if $(filter t/main.cpp t/bench/% t/pictures/% t/puzzles/% t/book/%,$<),-O1,-include $(FIRST)))

$(PLAIN_OBJECTS): $(BUILD)/release/t/bench/plain/%.o: src/games/%.cpp t/bench/plain.hpp $(BUILD)/release/.flags
	$(call compile, (plain),$(CXX) $(RELEASE_FLAGS) -include t/bench/plain.hpp)

# Built elsewhere, the program finds its texts by a link beside it.
$(BUILD)/tree:
	@[ $(BUILD)/../rules -ef rules ] || ln -sfn "$$PWD" $@

$(BUILD)/pbmplay: $(PROGRAM_OBJECTS) | $(BUILD)/tree
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(PROGRAM_LIBS)

$(BUILD)/%/src/mail/message.o: private HERE = $(GMIME_FLAGS)
$(BUILD)/pbmplay-mail: $(MAIL_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(filter-out $(foreach l,boost_program_options ncursesw tinfo,-l$l -l:lib$l.a),$(PROGRAM_LIBS)) $(GMIME_LIBS)

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

$(BUILD)/book: $(LIBRARY_OBJECTS) $(BOOK_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/bench: $(LIBRARY_OBJECTS) $(BENCH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS) $(TEST_LIBS)

$(BUILD)/bench-server: $(SERVER_BENCH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS)

$(BUILD)/fit: $(LIBRARY_OBJECTS) $(BUILD)/release/t/bench/fit.o
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/bench-strength: $(LIBRARY_OBJECTS) $(STRENGTH_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(LIBS)

# Fuzzing: the sources once more with clang, its sanitizers and what follows coverage;
# of the tests what makes test apps and servers, without Catch2 (t/fuzz/catch2).
FUZZ_OBJECTS := $(addprefix $(BUILD)/fuzz/,$(OBJECTS))
FUZZ_SUPPORT := $(patsubst %,$(BUILD)/fuzz/t/%.o,fuzz/target support test_app listening run)
.PRECIOUS: $(BUILD)/fuzz/%.o
$(BUILD)/fuzz/t/%.o: t/%.cpp $(BUILD)/fuzz/.flags
	$(call compile, (fuzz),$(FUZZ_CXX) $(FUZZ_FLAGS) -It/fuzz $(TEST_FLAGS))
$(FUZZ_TARGETS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/t/fuzz/%.o $(FUZZ_SUPPORT) $(FUZZ_OBJECTS)
	@$(FUZZ_CXX) $(STANDARD) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)
$(BUILD)/fuzz/mails: $(patsubst %.cpp,$(BUILD)/fuzz/%.o,$(filter-out src/mail/main.cpp,$(MAIL_SOURCES)))
$(BUILD)/fuzz/mails: private LIBS += $(GMIME_LIBS)
-include $(patsubst %.o,%.d,$(FUZZ_OBJECTS) $(FUZZ_SUPPORT)) $(patsubst $(BUILD)/fuzz/%,$(BUILD)/fuzz/t/fuzz/%.d,$(FUZZ_TARGETS))

-include $(patsubst %.o,%.d,$(PROGRAM_OBJECTS) $(MAIL_OBJECTS) $(SANITIZED_OBJECTS) $(TEST_OBJECTS) $(BENCH_OBJECTS) $(SERVER_BENCH_OBJECTS) $(STRENGTH_OBJECTS) $(BUILD)/release/t/bench/fit.o $(PUZZLE_OBJECTS) $(BOOK_OBJECTS) $(PICTURE_OBJECTS) $(TOY_TABLE) $(TOY_TESTS)) $(FIRST).d
endif
