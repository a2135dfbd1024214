# SPDX-License-Identifier: MIT
# Checks that are no tests: clang-tidy, cppcheck, layout, language; and what editors need.
.PHONY: fmt english lint
## fmt: lay the sources out by .clang-format
fmt:
	@.ci/fmt

## english: measure how plain the English is, and fail above the limits (python3)
english:
	@.ci/english --check

## lint: run clang-tidy, cppcheck, shellcheck, mandoc and the checks of layout and layers
TIDY := $(patsubst %.cpp,$(BUILD)/lint/%.tidy,$(SOURCES) src/main.cpp)
lint: $(TIDY) $(BUILD)/tests man
	@.ci/lint
	@$(RUN_TESTS) $(BUILD)/tests '[layers]'
# One stamp a file, since a look at all files takes minutes.
$(BUILD)/lint/%.tidy: %.cpp .clang-tidy $(wildcard src/*/*.hpp src/*/*/*.hpp)
	@mkdir -p $(@D)
	@echo "  $< (clang-tidy)"
	@clang-tidy --quiet $< -- $(STANDARD) -Isrc -DPBM_DATA='""' -DPBM_COMMIT='"v0"' 2>/dev/null
	@touch $@

## compile_commands.json: tell editors how each source is compiled
compile_commands.json: Makefile always
	@{ sep='['; for file in $(SOURCES) src/main.cpp $(sort $(TESTS) $(wildcard t/*/*.cpp)); do \
	  printf '%s\n{"directory": "%s", "file": "%s", "command": "%s"}' "$$sep" '$(CURDIR)' "$$file" \
	    "$(CXX) $(FLAGS) -It -c $$file"; sep=,; done; printf '\n]\n'; } > $@
