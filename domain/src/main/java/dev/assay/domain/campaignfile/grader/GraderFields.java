package dev.assay.domain.campaignfile.grader;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.check.graded.GradedKinds;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.judge.Judge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of the graders that a campaign's checks may name. */
public final class GraderFields {

    /** The fields of graders. */
    public static final Fields FIELDS = new Fields(
            "grader",
            Stream.concat(AgentReader.fields("grader").names().stream(), DeliveryReader.NAMES.stream())
                    .toList());

    private static final String GRADER = "grader";
    private static final String A_GRADER = "a grader";
    private static final String CHECKS = "checks";
    private static final String CASES = "cases";

    private final Problems problems;
    private final Function<FieldReader, Agent> agents;
    private final DeliveryReader deliveries;

    /** The graders that checks name. */
    private final List<Found> named = new ArrayList<>();

    /** The place of the first check that asks and names no grader; null: each one names one. */
    private @Nullable String unnamed;

    /** The place of the first check that compares embeddings and names no grader; null: each one names one. */
    private @Nullable String unnamedEmbedding;

    private GraderFields(Problems problems, Function<FieldReader, Agent> agents, DeliveryReader deliveries) {
        this.problems = problems;
        this.agents = agents;
        this.deliveries = deliveries;
    }

    /** A grader where it stands in the document. */
    private record Found(CheckGrader grader, String path) {}

    /**
     * The graders of a submitted campaign, each agent once, by where it stands in the document; none without graded checks. The first one
     * is the campaign's own where a check names none.
     *
     * @param judge answers questions where no {@code grader} is written; null: there is none
     */
    public static Map<CheckGrader, String> read(
            FieldReader document,
            @Nullable Judge judge,
            Function<FieldReader, Agent> agents,
            DeliveryReader deliveries) {
        GraderFields fields = new GraderFields(document.problems(), agents, deliveries);
        FieldReader written = document.object(GRADER, FIELDS);
        Agent own = written == null ? null : agents.apply(written);
        fields.readAll(document.node(CHECKS), document.node(CASES), "");
        JsonNode suite = document.node("suite");
        if (suite != null) {
            fields.readAll(suite.get(CHECKS), suite.get(CASES), "suite");
        }
        Map<Agent, Found> graders = new LinkedHashMap<>();
        Found fallback = fields.fallback(document, written, own, judge);
        if (fallback != null) {
            graders.put(fallback.grader().agent(), fallback);
        }
        fields.named.forEach(found -> fields.add(found, graders));
        return graders.values().stream()
                .collect(Collectors.toMap(Found::grader, Found::path, (one, _) -> one, LinkedHashMap::new));
    }

    /** Adds a grader; one agent is asked in one way. */
    private void add(Found found, Map<Agent, Found> graders) {
        Found first = graders.putIfAbsent(found.grader().agent(), found);
        if (first != null && !first.grader().delivery().equals(found.grader().delivery())) {
            problems.add(
                    DocumentPath.field(found.path(), DeliveryReader.FIELD),
                    "The grader of `" + found.path() + "` is that of `" + first.path()
                            + "`, which is asked in another way; write the same `delivery` and `deadline` for both.");
        }
    }

    /** The grader of checks that name none; null: there is none, or none is needed. */
    private @Nullable Found fallback(
            FieldReader document, @Nullable FieldReader written, @Nullable Agent own, @Nullable Judge judge) {
        if (!document.isWrong(GRADER)) {
            refuseMissing(own, own != null || judge == null ? own : judge.agent());
        }
        if (written == null || own == null) {
            return unnamed == null || judge == null
                    ? null
                    : new Found(new CheckGrader(judge.agent(), judge.delivery()), GRADER);
        }
        if (unnamed == null && unnamedEmbedding != null) {
            AgentKinds.of(own).checkEmbedding(own, GRADER, problems);
            return new Found(new CheckGrader(own, deliveries.ofEmbeddings(written)), GRADER);
        }
        if (unnamed == null) {
            // No check asks it, and what is written there must be right all the same.
            if (DeliveryReader.NAMES.stream().anyMatch(written::hasValue)) {
                var _ = deliveries.of(written, A_GRADER, own);
            }
            return null;
        }
        return new Found(new CheckGrader(own, deliveries.of(written, A_GRADER, own)), GRADER);
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
    public static List<CheckGrader> readStored(
            FieldReader document, Function<FieldReader, Agent> agents, DeliveryReader deliveries) {
        return document.list(GRADER, (node, path, problems) -> {
            FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
            Agent agent = agents.apply(fields);
            return new CheckGrader(agent, deliveries.of(fields, A_GRADER, agent));
        });
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
            FieldReader fields = FieldReader.of(check.get(GRADER), path, FIELDS, problems);
            Agent grader = agents.apply(fields);
            DeliveryWish delivery =
                    isEmbedding ? deliveries.ofEmbeddings(fields) : deliveries.of(fields, A_GRADER, grader);
            named.add(new Found(new CheckGrader(grader, delivery), path));
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
