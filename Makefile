# Each goal does all of its own set-up on a Debian machine that has the Swift toolchain: packages, voice, build.
#
#   make speak TEXT="Hello world." OUT=hello.wav
#   make test
#   make bench                                  (ten pairs of everything; writes the README's table)
#   make bench BENCH_ARGUMENTS="--threads 2 --runs 20" PEERS_ARGUMENTS="--pairs 1 --voices joe"    (a trial)

TEXT ?= Hello world.
OUT ?= hello.wav

# The text reaches the command through the environment and is never read as make or shell: quotes and dollar
# signs are spoken as they are.
unexport TEXT OUT
export SYRINX_MAKE_TEXT = $(value TEXT)
export SYRINX_MAKE_OUT = $(value OUT)

# With Swift's own libraries inside, a command starts in 4 ms in place of 11.
RELEASE_FLAGS = -c release --static-swift-stdlib

# Tests look into modules, which takes other compiler flags: a build of their own, so that neither undoes the other.
TEST_FLAGS = -c release -Xswiftc -enable-testing --scratch-path .build/tests

.PHONY: speak test bench lint
.NOTPARALLEL:

speak:
	@scripts/setup build
	@swift build $(RELEASE_FLAGS) --product syrinx >&2
	@voice=$$(weights/fetch) && \
	.build/release/syrinx say --voice "$$voice" -o "$$SYRINX_MAKE_OUT" -- "$$SYRINX_MAKE_TEXT"

# The format; the numeric tests at each instruction set below the processor's best, then everything at that.
test: lint
	@scripts/setup test
	python3 -m unittest discover -q -s weights/tests
	python3 -m unittest discover -q -s Benchmarks/tests
	swift build --build-tests $(TEST_FLAGS)
	voice=$$(weights/fetch) && export SYRINX_TEST_VOICE="$$voice" && \
	for level in baseline avx2; do \
	    SYRINX_KERNELS=$$level swift test --skip-build $(TEST_FLAGS) --filter 'DSPTests|TensorTests|VITSTests' || exit; \
	done && \
	swift test --skip-build $(TEST_FLAGS) && \
	scripts/regressions .build/tests/release "$$voice"

bench:
	@scripts/setup bench
	@swift build $(RELEASE_FLAGS) >&2
	@PEERS_ARGUMENTS='$(PEERS_ARGUMENTS)' scripts/bench $(BENCH_ARGUMENTS)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests
