# `make help` lists the targets.

# Seconds for each fuzz target; `make fuzz` goes round and round until it is stopped.
FUZZ_SECONDS ?= 300
FUZZ_TARGETS = $(basename $(notdir $(wildcard fuzz/fuzz_targets/*.rs)))
PREFIX ?= /usr/local
# Where the generated manual page and completions go.
GENERATED = target/generated

.PHONY: help build test bench fuzz fmt generated install picture

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

build: ## Build the command: target/release/wheelspin
	cargo build --release --workspace

test: ## Install what is missing and run every test
	@tests/run

bench: ## Run every bench (criterion); the figures go to target/criterion
	cargo bench --package wheelspin $(patsubst benches/%.rs,--bench %,$(wildcard benches/*.rs))

fuzz: ## Fuzz every target for FUZZ_SECONDS, again and again, from a corpus that is kept in target/corpus
	@command -v cargo-fuzz >/dev/null || cargo install --locked cargo-fuzz
	@while :; do for target in $(FUZZ_TARGETS); do \
	  mkdir -p target/corpus/$$target fuzz/corpus/$$target; \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target target/corpus/$$target fuzz/corpus/$$target -- \
	    -max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done; done

fmt: ## Format the sources
	cargo fmt --all

generated: build ## Write the manual page and completions for bash, fish and zsh to target/generated
	@mkdir -p $(GENERATED)
	target/release/wheelspin man > $(GENERATED)/wheelspin.1
	target/release/wheelspin completions bash > $(GENERATED)/wheelspin.bash
	target/release/wheelspin completions fish > $(GENERATED)/wheelspin.fish
	target/release/wheelspin completions zsh > $(GENERATED)/_wheelspin

install: generated ## Install the command, its manual page and completions below PREFIX (/usr/local)
	install -Dm755 target/release/wheelspin $(DESTDIR)$(PREFIX)/bin/wheelspin
	install -Dm644 $(GENERATED)/wheelspin.1 $(DESTDIR)$(PREFIX)/share/man/man1/wheelspin.1
	install -Dm644 $(GENERATED)/wheelspin.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/wheelspin
	install -Dm644 $(GENERATED)/wheelspin.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/wheelspin.fish
	install -Dm644 $(GENERATED)/_wheelspin $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_wheelspin

picture: build ## Draw docs/audit.svg, the picture in the README, from a real run
	docs/picture.py target/release/wheelspin > docs/audit.svg
