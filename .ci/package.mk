# SPDX-License-Identifier: MIT
# A Debian package and a tarball.
.PHONY: deb dist
## deb: build a Debian package of this tree, build/deb/pbmplay_VERSION_ARCH.deb, the mail gateway and debug symbols beside it; .ci/deb-try tries it in a bare Debian
deb:
	@BUILD='$(BUILD)' VERSION="$$($(PRINT_VERSION))" .ci/deb

## dist: pack what is committed, build/pbmplay-VERSION.tar.gz, which builds without git
dist:
	@[ -e .git ] && git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "make dist packs what is committed: it needs git and a clone"; exit 1; }
	@git diff --quiet HEAD || echo "Uncommitted changes are not in it"
	@mkdir -p $(BUILD)
	@name=pbmplay-$$($(PRINT_VERSION)) && \
	  git -c tar.umask=022 archive --format=tar --prefix="$$name/" --add-virtual-file="$$name/VERSION:$$($(DESCRIBE))" HEAD > $(BUILD)/dist.tar && \
	  gzip -9nc $(BUILD)/dist.tar > "$(BUILD)/$$name.tar.gz" && rm $(BUILD)/dist.tar && echo "$(BUILD)/$$name.tar.gz"
