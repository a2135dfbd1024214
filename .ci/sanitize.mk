# SPDX-License-Identifier: MIT
# The tests under the sanitizers, and the tests that take minutes. The tests' own sources are those
# of the other build: only the program is instrumented.
SANITIZE          := -g1 -O1 -fno-omit-frame-pointer $(if $(findstring clang,$(COMPILER)),,-Wno-maybe-uninitialized) -fsanitize=address,undefined
SANITIZED_FLAGS   := $(FLAGS) $(SANITIZE) -fno-sanitize-recover=undefined $(CXXFLAGS)
SANITIZED_OBJECTS := $(addprefix $(BUILD)/sanitized/,$(OBJECTS))
# The part of the tests that .ci/run has time for: without those that run the plain program, read
# the sources, or search for long.
NOT_IN_PART       := long . engine computer terminal cli man layers install build docs fuzz crash mail analysis \
  levels golden puzzles truth toy conformance screen complete
SANITIZED_PART    := $(subst $(eval ) ,,$(NOT_IN_PART:%=~[%]))

.PHONY: check-sanitized check-sanitized-part check-long
## check-sanitized: run the tests under the address and undefined-behaviour sanitizers
check-sanitized: $(TRIED) $(BUILD)/tests-sanitized | $(filter run check test check-long,$(GOALS))
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '~[long]~[.]' --jobs $(JOBS)

## check-sanitized-part: the same without the slowest tests, in six minutes
check-sanitized-part: $(TRIED) $(BUILD)/tests-sanitized | $(filter run check test check-long,$(GOALS))
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '$(SANITIZED_PART)' --jobs $(JOBS)

## check-long: run the tests that take minutes, then all tests under the sanitizers
check-long: check $(BUILD)/tests-sanitized
	@$(RUN_TESTS) $(BUILD)/tests '[long]' --jobs $(JOBS)
	@$(RUN_TESTS) $(BUILD)/tests-sanitized '~[long]~[.]' --jobs $(JOBS)

$(BUILD)/sanitized/.flags: always
	$(call remember,$(call quoted,$(CXX) $(COMPILER) $(SANITIZED_FLAGS)))
$(BUILD)/sanitized/library.hpp.gch: $(BUILD)/sanitized/library.hpp $(BUILD)/sanitized/.flags
	@$(CXX) $(SANITIZED_FLAGS) -x c++-header $< -o $@
for_sanitized = $(call compile, (sanitized),$(CXX) $(SANITIZED_FLAGS) -include $(BUILD)/sanitized/library.hpp)
$(BUILD)/sanitized/src/%.o: src/%.cpp $(BUILD)/sanitized/library.hpp.gch
	$(for_sanitized)
$(BUILD)/sanitized/unit/%.o: $(BUILD)/unit/%.cpp $(BUILD)/sanitized/library.hpp.gch
	$(for_sanitized)
$(BUILD)/tests-sanitized: $(SANITIZED_OBJECTS) $(TEST_OBJECTS) | $(BUILD)/recorder.so
	$(call link,$(SANITIZE) $(TEST_LIBS))
-include $(SANITIZED_OBJECTS:.o=.d)
