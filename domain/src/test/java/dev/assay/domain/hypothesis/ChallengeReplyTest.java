package dev.assay.domain.hypothesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.hypothesis.Reading.Evaluated;
import dev.assay.domain.hypothesis.Reading.Fault;
import dev.assay.domain.hypothesis.Reading.Invalid;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChallengeReplyTest {

    private static final Rubric RUBRIC = Rubric.DEFAULT;
    private static final List<String> IDS = List.of("h1", "h2", "h3");

    static String evaluation(String id, Object score, String verdict) {
        return """
            {"id": "%s", "scores": {"specificity": %2$s, "novelty": %2$s, "connectionValidity": %2$s, "feasibility": %2$s,
             "grounding": %2$s}, "verdict": "%3$s", "reasons": ["r"]}\
            """.formatted(id, score, verdict);
    }

    static String reply(String... evaluations) {
        return "{\"evaluations\": [" + String.join(", ", evaluations) + "]}";
    }

    private static Fault fault(ChallengeReply reply, String id) {
        return ((Invalid) reply.readings().get(id)).fault();
    }

    @Test
    void shouldKeepTheFirstGoodAnswersWhenARepairScoresTheRest() {
        ChallengeReply read = ChallengeReply.read(
                RUBRIC,
                IDS,
                List.of(
                        reply(evaluation("h1", 4, "PASS"), evaluation("h2", 9, "pass")),
                        reply(evaluation("h1", 1, "fail"), evaluation("h2", 2, "fail"))));

        assertThat(read.readings().get("h1")).isInstanceOfSatisfying(Evaluated.class, one -> {
            assertThat(one.scores()).containsEntry("novelty", java.math.BigDecimal.valueOf(4));
            assertThat(one.modelVerdict()).isEqualTo(HypothesisVerdict.PASS);
        });
        assertThat(read.readings().get("h2")).isInstanceOf(Evaluated.class);
        assertThat(fault(read, "h3")).isEqualTo(Fault.MISSING);
        assertThat(read.unknownIds()).as("h1 was asked about, if not again").isEmpty();
    }

    @Test
    void shouldReadBehindTheReasoningOfAReply() {
        String reasoned = "<think>" + reply(evaluation("h1", 1, "fail")) + "</think>\n```json\n"
                + reply(evaluation("h1", 4, "pass")) + "\n```";

        assertThat(ChallengeReply.read(RUBRIC, List.of("h1"), reasoned)
                        .readings()
                        .get("h1"))
                .isInstanceOfSatisfying(
                        Evaluated.class,
                        one -> assertThat(one.scores()).containsEntry("novelty", java.math.BigDecimal.valueOf(4)));
        assertThat(fault(ChallengeReply.read(RUBRIC, List.of("h1"), "<think>" + reply()), "h1"))
                .isEqualTo(Fault.NOT_JSON);
    }

    @Test
    void shouldNameWhatIsWrongWithEachHypothesis() {
        assertThat(fault(ChallengeReply.read(RUBRIC, IDS, reply(evaluation("h1", "\"4\"", "pass"))), "h1"))
                .isEqualTo(Fault.SCORE_NOT_A_NUMBER);
        assertThat(fault(ChallengeReply.read(RUBRIC, IDS, reply(evaluation("h1", "1e400", "pass"))), "h1"))
                .isEqualTo(Fault.SCORE_OUT_OF_RANGE);
        assertThat(fault(ChallengeReply.read(RUBRIC, IDS, reply(evaluation("h1", "NaN", "pass"))), "h1"))
                .isEqualTo(Fault.NOT_JSON);
        assertThat(fault(ChallengeReply.read(RUBRIC, IDS, reply() + " I hope this helps."), "h2"))
                .isEqualTo(Fault.NOT_JSON);
        assertThat(fault(ChallengeReply.read(RUBRIC, IDS, "[]"), "h3")).isEqualTo(Fault.NOT_JSON);
    }

    @Test
    void shouldTakeAnotherWordForNoVerdict() {
        ChallengeReply read = ChallengeReply.read(RUBRIC, List.of("h1"), reply(evaluation("h1", 4, "excellent")));

        HypothesisResult result =
                HypothesisResult.of(RUBRIC, List.of(List.of("h1")), List.of(new BatchEnd(0, read, null)));
        assertThat(result.scored()).singleElement().satisfies(one -> {
            assertThat(one.model().verdict()).isNull();
            assertThat(one.model().disagrees()).isFalse();
        });
    }

    /** Whatever a model says, each hypothesis has one reading, and stands in one list of the result, which can be written. */
    @Test
    void shouldReadEveryReply() {
        Random random = new Random(20_260_117);
        String nested = "[".repeat(5_000) + "]".repeat(5_000);
        List<String> seeds = List.of(
                reply(evaluation("h1", 4, "pass"), evaluation("h2", 2.5, "fail"), evaluation("h3", 3, "borderline")),
                reply(evaluation("h3", 4, "pass"), evaluation("h3", 4, "pass"), evaluation("zz", 3, "no")),
                "```json\n" + reply(evaluation("h2", 5, "pass")) + "\n```",
                reply(
                        "{\"id\": {\"a\": 1}}",
                        "7",
                        "null",
                        "{\"id\": \"h1\", \"scores\": []}",
                        evaluation("h2", nested, "x")),
                reply("{\"id\": \"h1\", \"reasons\": [\"\\ud800\\u0000\"]}", evaluation("\\ud800", 3, "\\u0000")),
                nested,
                "",
                "{\"evaluations\": {\"h1\": 1}}");
        List<List<List<String>>> splits = List.of(List.of(IDS), List.of(List.of("h1"), List.of("h2"), List.of("h3")));
        for (int i = 0; i < 1_000; i++) {
            List<List<String>> batches = splits.get(i % splits.size());
            List<BatchEnd> ends = new ArrayList<>();
            for (int b = 0; b < batches.size(); b++) {
                List<String> replies = Stream.generate(() -> mutated(seeds, random))
                        .limit(random.nextInt(3))
                        .toList();
                ChallengeReply read = ChallengeReply.read(RUBRIC, batches.get(b), replies);
                assertThat(read.readings().keySet())
                        .containsExactlyElementsOf(replies.isEmpty() ? List.of() : batches.get(b));
                ends.add(new BatchEnd(b, read, replies.isEmpty() ? "CANCELLED: It was." : null));
            }
            Collections.shuffle(ends, random);
            assertEachOnce(HypothesisResult.of(RUBRIC, batches, ends));
        }
    }

    private static void assertEachOnce(HypothesisResult result) {
        List<String> ids = Stream.of(
                        result.scored().stream().map(ScoredHypothesis::id),
                        result.rejected().stream().map(ScoredHypothesis::id),
                        result.unscored().stream().map(HypothesisResult.Unscored::id))
                .flatMap(each -> each)
                .toList();
        assertThat(ids).containsExactlyInAnyOrderElementsOf(IDS);
        assertThat(result.summary().total()).isEqualTo(IDS.size());
        assertThat(Json.write(result).getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .isNotEmpty();
    }

    private static String mutated(List<String> seeds, Random random) {
        String text = seeds.get(random.nextInt(seeds.size()));
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, random.nextInt(text.length() + 1));
            case 1 -> text + seeds.get(random.nextInt(seeds.size()));
            case 2 -> text.replace("h" + (1 + random.nextInt(3)), "h" + (1 + random.nextInt(4)));
            case 3 -> shuffledLines(text, random);
            default -> text;
        };
    }

    private static String shuffledLines(String text, Random random) {
        List<String> parts = new ArrayList<>(List.of(text.split("(?<=,)")));
        Collections.shuffle(parts, random);
        return String.join("", parts);
    }

    /** Batches end in any order, and the result is the same. */
    @Test
    void shouldGiveTheSameResultInWhateverOrderBatchesEnd() {
        List<List<String>> batches = List.of(List.of("a", "b"), List.of("c", "d"), List.of("e"), List.of("f", "g"));
        List<BatchEnd> ends = List.of(
                end(0, reply(evaluation("a", 4, "pass"), evaluation("b", 4, "fail"))),
                end(1, reply(evaluation("d", 1, "fail"))),
                BatchEnd.failed(2, "PROVIDER_UNAVAILABLE: It was."),
                end(3, reply(evaluation("g", 3.2, "pass"), evaluation("f", 4, "pass"))));
        HypothesisResult expected = HypothesisResult.of(RUBRIC, batches, ends);
        assertThat(expected.scored()).extracting(ScoredHypothesis::id).containsExactly("a", "b", "f", "g");
        Set<HypothesisResult> results = new HashSet<>();
        List<List<BatchEnd>> orders = permutations(ends);

        orders.forEach(order -> results.add(HypothesisResult.of(RUBRIC, batches, order)));

        assertThat(orders).hasSize(24);
        assertThat(results).containsExactly(expected);
    }

    @Test
    void shouldKeepAndRankWhatIsRejectedAcrossBatches() {
        List<List<String>> batches = List.of(List.of("a", "b"), List.of("c", "d"));
        HypothesisResult result = HypothesisResult.of(
                RUBRIC,
                batches,
                List.of(
                        end(1, reply(evaluation("c", 2.5, "fail"), evaluation("d", 5, "pass"))),
                        end(0, reply(evaluation("a", 1, "fail"), evaluation("b", 1.5, "fail")))));

        assertThat(result.rejected())
                .extracting(one -> one.rank() + " " + one.id())
                .containsExactly("1 c", "2 b", "3 a");
        assertThat(result.scored()).extracting(ScoredHypothesis::id).containsExactly("d");
    }

    private static BatchEnd end(int index, String reply) {
        List<String> ids = List.of(List.of("a", "b"), List.of("c", "d"), List.of("e"), List.of("f", "g"))
                .get(index);
        return new BatchEnd(index, ChallengeReply.read(RUBRIC, ids, reply), null);
    }

    private static <T> List<List<T>> permutations(List<T> items) {
        if (items.isEmpty()) {
            return List.of(List.of());
        }
        List<List<T>> all = new ArrayList<>();
        for (T first : items) {
            List<T> rest = new ArrayList<>(items);
            rest.remove(first);
            permutations(rest).forEach(tail -> {
                List<T> one = new ArrayList<>(List.of(first));
                one.addAll(tail);
                all.add(one);
            });
        }
        return all;
    }
}
