# One line per goal; ./mvnw and ./assay are the real commands.
.DEFAULT_GOAL := verify
.PHONY: build test verify format run up clean

build: ## everything but tests
	./mvnw -B package -DskipTests
test: ## the fast loop: all but slow tests
	./mvnw -B test
verify: ## all tests, formatting and static checks
	./mvnw -B -T2 verify
format: ## formats the Java sources, trims the rest
	./mvnw -B spotless:apply && ./mvnw -B -pl formatting process-classes -Dformat.mode=apply
run: ## the quickstart
	./assay run examples/quickstart/campaign.yaml
up: ## API, web pages and worker on embedded stores
	./assay up
clean:
	./mvnw -B clean
