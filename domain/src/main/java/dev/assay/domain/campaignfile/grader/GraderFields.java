package dev.assay.domain.campaignfile.grader;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.check.graded.GradedKinds;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.grading.GradeSlot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reader of the graders that a campaign's checks may name. */
public final class GraderFields {

    /** The fields of graders. */
    public static final Fields FIELDS = AgentReader.fields("grader");

    private static final String GRADER = "grader";
    private static final String CHECKS = "checks";
    private static final String CASES = "cases";

    private final Problems problems;
    private final Function<FieldReader, Agent> agents;

    /** The graders that checks name, by where the first one stands that names it. */
    private final Map<Agent, String> named = new LinkedHashMap<>();

    /** The place of the first check that asks and names no grader; null: each one names one. */
    private @Nullable String unnamed;

    /** The place of the first check that compares embeddings and names no grader; null: each one names one. */
    private @Nullable String unnamedEmbedding;

    private GraderFields(Problems problems, Function<FieldReader, Agent> agents) {
        this.problems = problems;
        this.agents = agents;
    }

    /**
     * The graders of a submitted campaign, each once, by where it stands in the document; none without graded checks. The first one
     * is the campaign's own where a check names none.
     *
     * @param judge answers questions where no {@code grader} is written; null: there is none
     */
    public static Map<Agent, String> read(
            FieldReader document, @Nullable Agent judge, Function<FieldReader, Agent> agents) {
        GraderFields fields = new GraderFields(document.problems(), agents);
        FieldReader written = document.object(GRADER, FIELDS);
        Agent own = written == null ? null : agents.apply(written);
        fields.readAll(document.node(CHECKS), document.node(CASES), "");
        JsonNode suite = document.node("suite");
        if (suite != null) {
            fields.readAll(suite.get(CHECKS), suite.get(CASES), "suite");
        }
        Map<Agent, String> graders = new LinkedHashMap<>();
        fields.fallback(document, own, judge, graders);
        fields.named.forEach(graders::putIfAbsent);
        return graders;
    }

    /** Adds the grader of checks that name none. */
    private void fallback(
            FieldReader document, @Nullable Agent own, @Nullable Agent judge, Map<Agent, String> graders) {
        Agent answers = own == null ? judge : own;
        if (!document.isWrong(GRADER)) {
            refuseMissing(own, answers);
        }
        if (unnamed != null && answers != null) {
            graders.put(answers, GRADER);
        } else if (unnamedEmbedding != null && own != null) {
            graders.put(own, GRADER);
            AgentKinds.of(own).checkEmbedding(own, GRADER, problems);
        }
    }

    private void refuseMissing(@Nullable Agent own, @Nullable Agent answers) {
        if (unnamed != null && unnamedEmbedding != null && own != null) {
            problems.add(
                    DocumentPath.field(unnamedEmbedding, GRADER),
                    "The campaign's `grader` answers questions, such as that of `" + unnamed
                            + "`: write a `grader` with a model of embeddings in `" + unnamedEmbedding + "`.");
        } else if (unnamedEmbedding != null && own == null) {
            problems.add(
                    DocumentPath.field(unnamedEmbedding, GRADER),
                    "No grader computes embeddings for `" + unnamedEmbedding
                            + "`: write a `grader` with provider and a model of embeddings in the check"
                            + " or at the top of the campaign.");
        }
        if (unnamed != null && answers == null) {
            problems.add(
                    DocumentPath.field(unnamed, GRADER),
                    "No grader is named for `" + unnamed
                            + "`: write a `grader` with provider and model in the check"
                            + " or at the top of the campaign, or a judge.");
        }
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
            String type = check.path("type").asText();
            if (GradedKinds.WORDS.contains(type)) {
                graded++;
                grader(check, place, GradedKinds.comparesEmbeddings(type));
            }
            graded += checks(check.get(CHECKS), DocumentPath.field(place, CHECKS));
        }
        return graded;
    }

    private void grader(JsonNode check, String place, boolean isEmbedding) {
        if (check.path(GRADER).isObject()) {
            String path = DocumentPath.field(place, GRADER);
            Agent grader = agents.apply(FieldReader.of(check.get(GRADER), path, FIELDS, problems));
            named.putIfAbsent(grader, path);
            if (isEmbedding) {
                AgentKinds.of(grader).checkEmbedding(grader, path, problems);
            }
        } else if (!check.has(GRADER) && isEmbedding) {
            unnamedEmbedding = unnamedEmbedding == null ? place : unnamedEmbedding;
        } else if (!check.has(GRADER)) {
            unnamed = unnamed == null ? place : unnamed;
        }
    }
}
