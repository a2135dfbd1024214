# SPDX-License-Identifier: MIT
# Rare needs of the build: a path with a blank, servers for tests, GMime, packages of rare targets.
# make cannot handle a path with a blank, so it uses a link to such a $(BUILD).
ifneq ($(word 2,$(BUILD)),)
BUILD_LINK     := .build-$(firstword $(shell echo '$(BUILD)' | cksum))
$(shell mkdir -p '$(BUILD)' && ln -sfn '$(BUILD)' $(BUILD_LINK))
BUILD_PATH     := $(BUILD)
override BUILD := $(BUILD_LINK)
endif

# The tests use an SSH server and Postfix. They are installed only where nothing starts them for
# good: on a person's own machine they would let others in. Tests that lack them are skipped.
MAY_INSTALL  := $(shell [ -d /run/systemd/system ] || [ "$$(id -u)" != 0 ] || echo yes)
SSH           = $(if $(MAY_INSTALL),/usr/sbin/sshd:openssh-server /usr/bin/ssh:openssh-client)
POSTFIX       = [ -x /usr/sbin/postfix ] || $(if $(MAY_INSTALL),RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
	apt-get -qq install -y --no-install-recommends postfix >/dev/null 2>&1 || \
	echo "Postfix cannot be installed: tests that need it are skipped",true)
GMIME_FLAGS   = $(subst -I,-isystem ,$(shell pkg-config --cflags gmime-3.0 2>/dev/null))
GMIME_LIBS    = $(shell pkg-config --libs gmime-3.0 2>/dev/null)
NEEDED_lint   = clang-format-16:clang-format-16 clang-tidy:clang-tidy cppcheck:cppcheck shellcheck:shellcheck
NEEDED_deb    = $(NEEDED_mail) dpkg-shlibdeps:dpkg-dev dpkg-deb:dpkg strip:binutils
NEEDED_bench  = /usr/games/nudoku:nudoku redis-server:redis-server
NEEDED_fuzz   = $(FUZZ_CXX):clang -fsanitize=fuzzer:libclang-rt-dev $(NEEDED_mail)
NEEDED_fuzz-deps   = $(NEEDED_fuzz)
NEEDED_clang-check = $(FUZZ_CXX):clang
