package dev.assay.domain.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.graded.QuestionRule.Question;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.grading.GradePrompt;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.statistics.Interval;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One branch of a campaign in the form of Every Eval Ever 0.3.0: its names, and what is said of all of its trials. */
public final class EveryEvalBranch {

    static final String VERSION = "0.3.0";
    static final String RATE = "trial rate";

    private static final UUID NAMESPACE = UUID.fromString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");

    private static final Map<String, String> ARGUMENTS =
            Map.of("temperature", "temperature", "topP", "top_p", "maxOutputTokens", "max_tokens");

    private final Source source;
    private final EveryEvalChoices choices;
    private final String model;
    private final String provider;
    private final Branch branch;
    private final String time;

    /**
     * The campaign that is exported.
     *
     * @param collection the name of its suite
     * @param ended when it ended
     * @param library what evaluated, and its version
     * @param graders the models that its graded checks may ask
     */
    public record Source(
            String campaignId,
            String collection,
            Instant ended,
            String library,
            String libraryVersion,
            List<ModelChoice> graders) {

        public Source {
            graders = List.copyOf(graders);
        }
    }

    /**
     * The file of samples as it is written.
     *
     * @param rows its lines
     * @param asked the questions whose answers by graders are in it
     * @param metrics the means of the scores in it
     */
    public record Samples(String sha256, int rows, Set<Question> asked, MetricMeans metrics) {

        public Samples {
            asked = Set.copyOf(asked);
        }
    }

    /**
     * A number of all trials.
     *
     * @param samples of how many trials or cases
     * @param method of the interval
     */
    private record Figure(
            String name,
            String metricId,
            String description,
            double value,
            @Nullable Double low,
            @Nullable Double high,
            int samples,
            String method) {}

    public EveryEvalBranch(Source source, Branch branch, EveryEvalChoices choices) {
        this.source = source;
        this.choices = choices;
        this.branch = branch;
        this.model = branch.agent().name().model();
        this.provider = branch.agent().name().provider();
        this.time = String.valueOf(source.ended().getEpochSecond());
    }

    /** A name of a directory. */
    static String part(String text) {
        String part = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+|[-.]+$", "");
        return part.isEmpty() ? "unknown" : part;
    }

    private String developer() {
        return choices.developerOf(provider, model);
    }

    private String shortModel() {
        return shortName(model);
    }

    private static String shortName(String model) {
        return model.substring(model.lastIndexOf('/') + 1);
    }

    private static String id(String developer, String model) {
        return model.startsWith(developer + "/") ? model : developer + "/" + shortName(model);
    }

    /** The name of its model in the form: readers look for its files in the directory of the same name. */
    String modelId() {
        return id(developer(), model);
    }

    String evaluationId() {
        return part(source.collection()) + "/" + part(model) + "/" + time;
    }

    /** The name of a number of the branch; that of its samples is the one of the rate. */
    String resultId(String number) {
        return branch.id() + "#" + number.replace(' ', '-');
    }

    /** Says which models graded, and what they were asked. */
    private void judging(ObjectNode metric, Set<Question> asked) {
        if (asked.isEmpty() || source.graders().isEmpty()) {
            return;
        }
        ObjectNode scoring = metric.putObject("llm_scoring");
        ArrayNode judges = scoring.putArray("judges");
        for (ModelChoice grader : source.graders()) {
            String developer = choices.developerOf(grader.provider(), grader.model());
            describe(
                    judges.addObject().putObject("model_info"),
                    shortName(grader.model()),
                    id(developer, grader.model()),
                    developer,
                    grader.provider());
        }
        scoring.put(
                "input_prompt",
                asked.stream().sorted().map(GradePrompt::template).collect(Collectors.joining("\n\n")));
    }

    /** The directory and beginning of the names of its two files. The same campaign and branch have the same. */
    public String path() {
        return "data/" + part(source.collection()) + "/" + part(developer()) + "/" + part(shortModel()) + "/" + id();
    }

    private UUID id() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            digest.update(ByteBuffer.allocate(16)
                    .putLong(NAMESPACE.getMostSignificantBits())
                    .putLong(NAMESPACE.getLeastSignificantBits())
                    .array());
            byte[] hash = digest.digest(
                    ("assay:" + source.campaignId() + ":" + branch.id()).getBytes(StandardCharsets.UTF_8));
            ByteBuffer bits = ByteBuffer.wrap(hash);
            long high = (bits.getLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L;
            long low = (bits.getLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each JDK has SHA-1", e);
        }
    }

    /**
     * What is said of all trials; null: nothing is known.
     *
     * @param samples the file beside it
     */
    public @Nullable ObjectNode aggregate(BranchSummary summary, Samples samples) {
        Proportion rate = summary.trialPassRate();
        Double known = rate.known();
        if (known == null) {
            return null;
        }
        ObjectNode all = Json.mapper().createObjectNode();
        all.put("schema_version", VERSION).put("evaluation_id", evaluationId());
        all.put("evaluation_timestamp", time).put("retrieved_timestamp", time);
        all.putObject("source_metadata")
                .put("source_name", "Assay")
                .put("source_type", "evaluation_run")
                .put("source_organization_name", choices.organization())
                .put("evaluator_relationship", choices.relationship());
        all.putObject("eval_library").put("name", source.library()).put("version", source.libraryVersion());
        describe(all.putObject("model_info"), shortModel(), modelId(), developer(), provider);
        ArrayNode results = all.putArray("evaluation_results");
        figures(rate, known, summary, samples).forEach(figure -> results.add(result(figure, samples.asked())));
        all.putObject("detailed_evaluation_results")
                .put("format", "jsonl")
                .put("file_path", path() + "_samples.jsonl")
                .put("hash_algorithm", "sha256")
                .put("checksum", samples.sha256())
                .put("total_rows", samples.rows());
        return all;
    }

    /** The rate, then each reducer and each mean of a metric that has a value. */
    private static List<Figure> figures(Proportion rate, double known, BranchSummary summary, Samples samples) {
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(
                RATE,
                "accuracy",
                "Share of the trials of a case that pass, mean over cases",
                known,
                rate.low(),
                rate.high(),
                rate.denominator() - rate.unknown(),
                "interval of the trial rate, with unknown trials either way"));
        summary.reducers().forEach((name, reduced) -> {
            Double value = reduced.value();
            if (value != null) {
                figures.add(new Figure(
                        name,
                        name,
                        "The reducer " + name + " of the trials of a case, mean over cases",
                        value,
                        reduced.low(),
                        reduced.high(),
                        reduced.cases(),
                        "interval of a mean over cases, with unknown trials either way"));
            }
        });
        samples.metrics().means().forEach((name, mean) -> {
            Double value = mean.value();
            Interval interval = mean.population();
            if (value != null) {
                figures.add(new Figure(
                        "metric " + name,
                        name,
                        "Mean score of the checks that are named " + name + ", mean over cases",
                        value,
                        interval == null ? null : interval.low(),
                        interval == null ? null : interval.high(),
                        mean.cases(),
                        "interval of a mean over cases"));
            }
        });
        return figures;
    }

    private static void describe(ObjectNode info, String name, String id, String developer, String platform) {
        info.put("name", name).put("id", id).put("developer", developer).put("inference_platform", platform);
        info.putObject("additional_details").put("deployment_type", "unknown").put("model_availability", "unknown");
    }

    private ObjectNode result(Figure number, Set<Question> asked) {
        ObjectNode result = Json.mapper().createObjectNode();
        result.put("evaluation_result_id", resultId(number.name()))
                .put("evaluation_name", number.name())
                .put("evaluation_timestamp", time);
        result.putObject("source_data").put("dataset_name", source.collection()).put("source_type", "other");
        ObjectNode metric = result.putObject("metric_config")
                .put("evaluation_description", number.description())
                .put("metric_id", number.metricId())
                .put("metric_name", number.name())
                .put("metric_kind", "accuracy")
                .put("metric_unit", "proportion")
                .put("lower_is_better", false)
                .put("score_type", "continuous")
                .put("min_score", 0.0)
                .put("max_score", 1.0);
        judging(metric, asked);
        ObjectNode details = result.putObject("score_details").put("score", number.value());
        ObjectNode uncertainty = details.putObject("uncertainty").put("num_samples", number.samples());
        Double low = number.low();
        Double high = number.high();
        if (low != null && high != null) {
            uncertainty
                    .putObject("confidence_interval")
                    .put("lower", low)
                    .put("upper", high)
                    .put("confidence_level", 0.95)
                    .put("method", number.method());
        }
        Map<String, JsonNode> parameters =
                branch.agent().model().map(ModelChoice::parameters).orElse(Map.of());
        ARGUMENTS.forEach((ours, theirs) -> {
            if (parameters.containsKey(ours)) {
                result.withObjectProperty("generation_config")
                        .withObjectProperty("generation_args")
                        .set(theirs, parameters.get(ours));
            }
        });
        return result;
    }
}
