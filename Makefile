# Every target works on a fresh machine: what it needs is installed first.
.PHONY: demo test check bench trace eval replicas crash soak fuzz metamorphic serve sbom clean install build generate

node := ./with-node node
installed := node_modules/.package-lock.json

demo: install
	@$(node) src/main.ts demo

test: install
	@$(node) tests/run.ts

check: install
	@./with-node npx --no-install tsc --noEmit
	@./with-node npx --no-install biome check --error-on-warnings .
	@./with-node npx --no-install knip
	@$(node) tests/check-contract.ts

serve: install
	@./attribution-adapter serve

bench: install
	@$(node) bench/run.ts

# The trace of one request as a tree, as an OTLP receiver gets it.
trace: install
	@$(node) bench/trace.ts

# Fast and slow across two replicas on PostgreSQL, one of which is killed in the middle. PAIRS=N asks about so many jobs.
replicas: install
	@$(node) bench/replicas.ts $(if $(PAIRS),--pairs $(PAIRS))

# SIGKILLs at random moments while the stores are written, on SQLite and PostgreSQL. KILLS=N on each store.
crash: install
	@$(node) bench/crash.ts $(if $(KILLS),--kills $(KILLS))

# Callers at once, fast and slow, on SQLite: wrong answers, refusals, latency, memory, descriptors. MINUTES=N (60),
# CALLERS=N (100), RATE=N a second (half of the highest that meets no overload), PACE=even or random.
soak: install
	@$(node) bench/soak.ts $(if $(MINUTES),--minutes $(MINUTES)) $(if $(CALLERS),--callers $(CALLERS)) $(if $(RATE),--rate $(RATE)) $(if $(PACE),--pace $(PACE))

# Mutations of valid documents through every parser of outside bytes. RUNS=N of each (a million), SEED=N draws others,
# PARSER=NAME runs one; what finds a fault is kept in .cache/fuzz.
fuzz: install
	@$(node) bench/fuzz.ts $(if $(RUNS),--runs $(RUNS)) $(if $(SEED),--seed $(SEED)) $(if $(PARSER),--parser $(PARSER))

# SEED=N measures other incidents; CASES=DIR scores folders from outside; CHECK=1 compares the page instead of writing it;
# FIT=1 fits confidence anew (minutes) and writes it with docs/reference/reliability.md.
eval: install
	@$(node) bench/evaluate.ts $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES)) $(if $(CHECK),--check) $(if $(FIT),--fit)

# Writes the generated, checked-in files again: api/ and docs/reference/.
generate: install
	@$(node) src/main.ts openapi export > api/openapi.json
	@$(node) src/main.ts rules pages docs/reference/rules --alone --rules rules
	@$(node) tests/write-modules.ts

# Every case rewritten in every way, and read in 50 ways; SEED=N draws others. `make test` runs a share of it.
metamorphic: install
	@METAMORPHIC=all $(if $(SEED),SEED=$(SEED)) $(node) tests/run.ts tests/metamorphic

# What is shipped, with versions, licences and hashes, as CycloneDX: sbom.cdx.json.
sbom: install
	@$(node) tests/write-sbom.ts

build: install
	@./with-node npm run --silent build

install: $(installed)
$(installed): package-lock.json
	@./with-node npm ci --no-audit --no-fund --loglevel=error
	@touch $@

clean:
	rm -rf node_modules .node dist .cache
