# SPDX-License-Identifier: MIT
# The mail gateway, a program of its own: only it needs GMime.
MAIL_PARTS   := $(foreach d,base boards engine game games protocol save store,unit/$d% src/$d/%)
MAIL_OBJECTS := $(MAIL_SOURCES:%.cpp=$(BUILD)/release/%.o) $(filter $(MAIL_PARTS:%=$(BUILD)/release/%.o),$(LIBRARY_OBJECTS))

.PHONY: mail
## mail: build the mail gateway, build/pbmplay-mail, as well; make install then installs it too
mail: all $(BUILD)/pbmplay-mail

$(BUILD)/%/src/mail/message.o: private HERE = $(GMIME_FLAGS)
$(BUILD)/pbmplay-mail: $(MAIL_OBJECTS)
	@$(CXX) $(STANDARD) -o $@ $^ $(LDFLAGS) $(filter-out $(foreach l,boost_program_options ncursesw tinfo,-l$l -l:lib$l.a),$(PROGRAM_LIBS)) $(GMIME_LIBS)
-include $(MAIL_OBJECTS:.o=.d)
