# SPDX-License-Identifier: MIT
# Fuzzing, and a look by clang at all sources. The fuzz targets compile the sources once more with
# clang, its sanitizers and coverage, and the helpers of the tests without Catch2 (t/fuzz/catch2).
FUZZ_TARGETS := $(patsubst %,$(BUILD)/fuzz/%,saves moves texts server listener wire keys mails records)
FUZZ_FLAGS   := $(STANDARD) $(filter -W%,$(WARNINGS)) $(CLANG_WARNINGS) -Isrc -g1 -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_OBJECTS := $(addprefix $(BUILD)/fuzz/,$(OBJECTS))
FUZZ_SUPPORT := $(patsubst %,$(BUILD)/fuzz/t/%.o,fuzz/target support test_app socket_server run)

.PHONY: fuzz fuzz-deps clang-check check-bare
## fuzz: try inputs that follow coverage, SECONDS=60 for each target, two at a time (clang is installed from Debian)
fuzz: $(FUZZ_TARGETS)
	@BUILD='$(BUILD)' SECONDS='$(or $(SECONDS),60)' .ci/fuzz $(notdir $(FUZZ_TARGETS))
fuzz-deps:

## clang-check: compile all sources and tests with clang, without linking
CLANG_FLAGS   := $(STANDARD) $(filter -W%,$(WARNINGS)) $(CLANG_WARNINGS) -Isrc -It
CLANG_CHECKED := $(patsubst %.cpp,$(BUILD)/clang-check/%.checked,$(MAIL_SOURCES) src/main.cpp $(TESTS))
clang-check: $(FUZZ_OBJECTS) $(CLANG_CHECKED)
$(BUILD)/clang-check/first.hpp.pch: $(FIRST) t/support.hpp
	@mkdir -p $(@D)
	@$(FUZZ_CXX) $(CLANG_FLAGS) -MMD -MP -MF $(@:.pch=.d) -MT $@ -x c++-header $< -o $@
$(BUILD)/clang-check/%.checked: %.cpp $(BUILD)/clang-check/first.hpp.pch
	@mkdir -p $(@D)
	@echo "  $< (clang)"
	@$(FUZZ_CXX) $(CLANG_FLAGS) $(if $(filter t/%,$(filter-out t/main.cpp,$<)),-include-pch $(BUILD)/clang-check/first.hpp.pch,$(GMIME_FLAGS)) \
	  -fsyntax-only -MMD -MP -MF $(@:.checked=.d) -MT $@ $<
	@touch $@

## check-bare: the README's two commands in a bare Debian 12 and 13, as root and as a user (as root, with debootstrap; half an hour)
check-bare:
	@.ci/check-bare

$(BUILD)/fuzz/.flags: always
	$(call remember,$(call quoted,$(FUZZ_CXX) $(FUZZ_FLAGS)))
$(BUILD)/fuzz/library.hpp.pch: $(BUILD)/fuzz/library.hpp $(BUILD)/fuzz/.flags
	@$(FUZZ_CXX) $(FUZZ_FLAGS) -x c++-header $< -o $@
for_fuzz = $(call compile, (fuzz),$(FUZZ_CXX) $(FUZZ_FLAGS) -include-pch $(BUILD)/fuzz/library.hpp.pch)
$(BUILD)/fuzz/src/%.o: src/%.cpp $(BUILD)/fuzz/library.hpp.pch
	$(for_fuzz)
$(BUILD)/fuzz/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/fuzz/library.hpp.pch
	$(for_fuzz)
.PRECIOUS: $(BUILD)/fuzz/%.o
$(BUILD)/fuzz/t/%.o: t/%.cpp $(BUILD)/fuzz/.flags
	$(call compile, (fuzz),$(FUZZ_CXX) $(FUZZ_FLAGS) -It/fuzz -It)
$(FUZZ_TARGETS): $(BUILD)/fuzz/%: $(BUILD)/fuzz/t/fuzz/%.o $(FUZZ_SUPPORT) $(FUZZ_OBJECTS)
	@$(FUZZ_CXX) $(STANDARD) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS)
$(BUILD)/fuzz/mails: $(patsubst %.cpp,$(BUILD)/fuzz/%.o,$(filter-out src/mail/main.cpp,$(MAIL_SOURCES)))
$(BUILD)/fuzz/mails: private LIBS += $(GMIME_LIBS)
-include $(patsubst %.o,%.d,$(FUZZ_OBJECTS) $(FUZZ_SUPPORT)) $(patsubst $(BUILD)/fuzz/%,$(BUILD)/fuzz/t/fuzz/%.d,$(FUZZ_TARGETS)) $(CLANG_CHECKED:.checked=.d) $(BUILD)/clang-check/first.hpp.d
