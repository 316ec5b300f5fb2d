package dev.assay.domain.campaignfile.grader;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.grading.GradeSlot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads who may grade the checks of a campaign. */
public final class GraderFields {

    /** What may be written. */
    public static final Fields FIELDS = Fields.of(
            "grader", "kind", "provider", "model", "thinking", "thinkingOptional", "parameters", "cassette", "script");

    private static final String GRADER = "grader";
    private static final String CHECKS = "checks";
    private static final String CASES = "cases";

    private final Problems problems;
    private final Function<FieldReader, Agent> agents;
    private final Set<Agent> named = new LinkedHashSet<>();

    /** Where the first check stands that names no grader; null: each one does. */
    private @Nullable String unnamed;

    private GraderFields(Problems problems, Function<FieldReader, Agent> agents) {
        this.problems = problems;
        this.agents = agents;
    }

    /**
     * The graders of a submitted campaign, each once; none without graded checks. The first one is the campaign's own where a check
     * names none.
     *
     * @param document the campaign file
     * @param judge grades where no {@code grader} is written; null: there is none
     * @param agents reads one
     */
    public static List<Agent> read(FieldReader document, @Nullable Agent judge, Function<FieldReader, Agent> agents) {
        GraderFields fields = new GraderFields(document.problems(), agents);
        FieldReader own = document.object(GRADER, FIELDS);
        Agent fallback = own == null ? judge : agents.apply(own);
        fields.readAll(document.node(CHECKS), document.node(CASES), "");
        JsonNode suite = document.node("suite");
        if (suite != null) {
            fields.readAll(suite.get(CHECKS), suite.get(CASES), "suite");
        }
        List<Agent> graders = new ArrayList<>();
        if (fields.unnamed != null && fallback != null) {
            graders.add(fallback);
        } else if (fields.unnamed != null && !document.isWrong(GRADER)) {
            document.problems()
                    .add(
                            DocumentPath.field(fields.unnamed, GRADER),
                            "No grader is named for `" + fields.unnamed
                                    + "`: write a `grader` with provider and model in the check"
                                    + " or at the top of the campaign, or a judge.");
        }
        fields.named.stream().filter(agent -> !graders.contains(agent)).forEach(graders::add);
        return graders;
    }

    /** The graders of a stored campaign. */
    public static List<Agent> readStored(FieldReader document, Function<FieldReader, Agent> agents) {
        return document.list(
                GRADER, (node, path, problems) -> agents.apply(FieldReader.of(node, path, FIELDS, problems)));
    }

    private void readAll(@Nullable JsonNode checks, @Nullable JsonNode cases, String path) {
        int shared = checks(checks, DocumentPath.field(path, CHECKS));
        for (int i = 0; cases != null && i < cases.size(); i++) {
            String place = DocumentPath.field(DocumentPath.item(DocumentPath.field(path, CASES), i), CHECKS);
            int graded = shared + checks(cases.path(i).get(CHECKS), place);
            if (graded > GradeSlot.MOST_CHECKS) {
                problems.add(
                        place,
                        "`" + place + "` has " + graded + " graded checks; a case may have at most "
                                + GradeSlot.MOST_CHECKS + ".");
            }
        }
    }

    /** Reads the graders of checks, and of those of groups; how many are graded. */
    private int checks(@Nullable JsonNode checks, String path) {
        int graded = 0;
        for (int i = 0; checks != null && i < checks.size(); i++) {
            JsonNode check = checks.path(i);
            String place = DocumentPath.item(path, i);
            if (GradedRule.WORDS.contains(check.path("type").asText())) {
                graded++;
                grader(check, place);
            }
            graded += checks(check.get(CHECKS), DocumentPath.field(place, CHECKS));
        }
        return graded;
    }

    private void grader(JsonNode check, String place) {
        if (check.path(GRADER).isObject()) {
            named.add(agents.apply(
                    FieldReader.of(check.get(GRADER), DocumentPath.field(place, GRADER), FIELDS, problems)));
        } else if (unnamed == null && !check.has(GRADER)) {
            unnamed = place;
        }
    }
}
