package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.graded.QuestionRule;
import dev.assay.domain.check.graded.SimilarRule;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.structure.JsonDocument;
import dev.assay.domain.text.CodeBlock;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.Reasoning;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.text.WhiteSpace;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The content of a grader's reply. */
sealed interface GradeReply {

    /** A reply that can be used. */
    record Valid(Finding finding) implements GradeReply {}

    /**
     * A reply that cannot be used.
     *
     * @param problem what is wrong with it, a sentence
     */
    record Invalid(String problem) implements GradeReply {}

    /** Reads a reply to {@code rule} behind its reasoning. An object may stand in a Markdown code block, or among other words. */
    static GradeReply read(GradedRule rule, String reply) {
        String said = Reasoning.behind(reply).orElse(reply);
        return switch (rule) {
            case QuestionRule question -> Reading.answer(question, said);
            case SimilarRule similar -> Reading.similarity(similar, said);
        };
    }

    /** The way to read replies. */
    final class Reading {

        private static final Invalid NO_OBJECT = new Invalid("It holds no JSON object.");
        private static final Invalid NO_SIMILARITY =
                new Invalid("It must be a number from −1 to 1, the similarity, or a list of such numbers.");

        /** Longest reason that is kept, in code points. */
        private static final int LONGEST_REASON = 2_000;

        private static final Pattern CATEGORY = Pattern.compile("\\A([A-Ea-e])\\.?\\z|(?<![A-Za-z])([A-Ea-e])\\)");
        private static final Set<String> YES = Set.of("true", "yes", "pass", "y");
        private static final Set<String> NO = Set.of("false", "no", "fail", "n");

        private Reading() {}

        static GradeReply answer(QuestionRule rule, String reply) {
            JsonNode object = object(reply);
            return switch (rule.question()) {
                case RUBRIC -> object == null ? NO_OBJECT : rubric(rule, object);
                case FACTUALITY -> factuality(object, reply);
                case CLOSED_QA -> closedQa(object, reply);
            };
        }

        /** A number, or a list of numbers of which the largest counts. */
        static GradeReply similarity(SimilarRule rule, String reply) {
            List<JsonNode> said = JsonDocument.of(reply) instanceof JsonDocument.Read(JsonNode document)
                    ? document.isArray() ? document.valueStream().toList() : List.of(document)
                    : List.of();
            boolean isUsable = !said.isEmpty()
                    && said.stream().allMatch(number -> number.isNumber() && Math.abs(number.doubleValue()) <= 1);
            return isUsable
                    ? new Valid(rule.finding(said.stream()
                            .mapToDouble(JsonNode::doubleValue)
                            .max()
                            .orElseThrow()))
                    : NO_SIMILARITY;
        }

        private static @Nullable JsonNode object(String reply) {
            JsonNode whole = parsed(CodeBlock.unwrapped(reply));
            int from = reply.indexOf('{');
            int to = reply.lastIndexOf('}');
            return whole != null || from < 0 || to < from ? whole : parsed(reply.substring(from, to + 1));
        }

        private static @Nullable JsonNode parsed(String text) {
            return JsonDocument.of(text) instanceof JsonDocument.Read(JsonNode document) && document.isObject()
                    ? document
                    : null;
        }

        private static GradeReply rubric(QuestionRule rule, JsonNode object) {
            Boolean pass = truth(object.path("pass"));
            JsonNode written = object.path("score");
            if (object.hasNonNull("pass") && pass == null) {
                return new Invalid("Its `pass` must be true or false.");
            }
            if (object.hasNonNull("score")
                    && !(written.isNumber() && written.doubleValue() >= 0 && written.doubleValue() <= 1)) {
                return new Invalid("Its `score` must be a number from 0 to 1.");
            }
            if (pass == null && !written.isNumber()) {
                return new Invalid("It must have `score` or `pass`.");
            }
            double score = written.isNumber() ? written.doubleValue() : Boolean.TRUE.equals(pass) ? 1 : 0;
            boolean reaches = rule.threshold() == null
                    ? pass != null || score >= 0.5
                    : score >= rule.threshold().doubleValue();
            boolean passes = !Boolean.FALSE.equals(pass) && reaches;
            String fallback = "The grader gave a score of " + score + ".";
            return valid(passes, score, reason(object, fallback));
        }

        private static @Nullable Boolean truth(JsonNode value) {
            String word = WhiteSpace.trim(value.asText("")).toLowerCase(Locale.ROOT);
            return YES.contains(word) ? Boolean.TRUE : NO.contains(word) ? Boolean.FALSE : null;
        }

        private static GradeReply factuality(@Nullable JsonNode object, String reply) {
            String said = object == null ? reply : object.path("category").asText("");
            Matcher matcher = CATEGORY.matcher(WhiteSpace.trim(said));
            if (!matcher.find()) {
                return new Invalid("It must name one of the categories A, B, C, D and E.");
            }
            String letter = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            char category = Character.toUpperCase(letter.charAt(0));
            boolean passes = category != 'D';
            String fallback = passes
                    ? "Category " + category + ": the response contradicts no fact."
                    : "Category D: the response contradicts the facts.";
            return valid(passes, passes ? 1 : 0, object == null ? fallback : reason(object, fallback));
        }

        private static GradeReply closedQa(@Nullable JsonNode object, String reply) {
            String said = WhiteSpace.trim(
                    object == null ? reply : object.path("answer").asText(""));
            Boolean yes = object != null
                    ? truth(object.path("answer"))
                    : said.endsWith("Y") ? Boolean.TRUE : said.endsWith("N") ? Boolean.FALSE : null;
            if (yes == null) {
                return new Invalid("It must answer Y or N.");
            }
            String fallback = yes ? "The response meets the criterion." : "The response does not meet the criterion.";
            return valid(yes, yes ? 1 : 0, object == null ? fallback : reason(object, fallback));
        }

        private static Valid valid(boolean passes, double score, String reason) {
            return new Valid(new Finding(passes ? Status.PASSED : Status.FAILED, score, reason));
        }

        private static String reason(JsonNode object, String fallback) {
            String reason = WhiteSpace.trim(object.path("reason").asText(""));
            return reason.isEmpty() ? fallback : StorableText.of(Excerpt.shortened(reason, LONGEST_REASON));
        }
    }
}
