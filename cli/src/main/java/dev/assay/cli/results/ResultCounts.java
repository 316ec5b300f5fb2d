package dev.assay.cli.results;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.results.AggregateTally;
import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ImportedOutcome;
import dev.assay.domain.results.ResultLine;
import dev.assay.domain.results.ResultLineReader;
import dev.assay.domain.suite.Case;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What results come to, without a server: each line is read as the server reads it. */
public final class ResultCounts {

    private final ImportHeader header;
    private final ResultLineReader reader;
    private final AggregateTally tally;
    private final Map<String, Set<String>> tags = new HashMap<>();
    private int outcomes;
    private int passed;
    private int failed;
    private int errors;

    /** Nothing yet, of results with {@code header}. */
    public ResultCounts(ObjectNode header) {
        this.header = ImportHeader.read(header);
        this.reader = new ResultLineReader(this.header.origin());
        this.tally = new AggregateTally(this.header.aggregates());
    }

    /** Adds a line. */
    public void add(ObjectNode line) {
        Problems problems = new Problems();
        ResultLine read = reader.read(line, "line", problems);
        problems.throwIfAny("results");
        switch (read) {
            case ResultLine.OfCase(Case value) -> tags.put(value.id(), Set.copyOf(value.tags()));
            case ResultLine.OfOutcome(ImportedOutcome outcome) -> add(outcome);
        }
    }

    private void add(ImportedOutcome outcome) {
        tally.add(outcome, tags.getOrDefault(outcome.place().caseId(), Set.of()));
        boolean isError = outcome.end().status().isFailure();
        outcomes++;
        errors += isError ? 1 : 0;
        passed += Boolean.TRUE.equals(outcome.passed()) ? 1 : 0;
        failed += Boolean.FALSE.equals(outcome.passed()) && !isError ? 1 : 0;
    }

    /** What the tool says, beside what the lines come to. */
    public List<ComparedAggregate> aggregates() {
        return tally.compared();
    }

    /** Where both differ, as sentences. */
    public List<String> warnings() {
        return aggregates().stream()
                .map(ComparedAggregate::warning)
                .filter(Objects::nonNull)
                .toList();
    }

    /** One line for people. */
    public String sentence() {
        return header.origin().tool()
                + (header.origin().toolVersion() == null
                        ? ""
                        : " " + header.origin().toolVersion())
                + ": " + tags.size() + " cases, "
                + header.definition().branches().size() + " branches, "
                + header.definition().trials() + " trials; " + outcomes + " outcomes: " + passed + " passed, " + failed
                + " failed, " + errors + " errors, " + (outcomes - passed - failed - errors) + " undecided";
    }
}
