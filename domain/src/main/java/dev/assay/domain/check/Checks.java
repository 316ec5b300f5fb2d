package dev.assay.domain.check;

import dev.assay.domain.text.CaseFolding;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.WhiteSpace;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** Evaluates the checks that need no I/O. The same checks and response always give the same results. */
public final class Checks {

    private Checks() {}

    /** One result for each of {@code checks}, in their order. */
    public static List<CheckResult> evaluate(List<Check> checks, String response) {
        return checks.stream().map(check -> evaluate(check, response)).toList();
    }

    /** The word that users write as {@code type}. */
    public static String type(Check check) {
        return switch (check) {
            case Check.Equals equals -> "equals";
            case Check.Contains contains -> "contains";
            case Check.ContainsIgnoringCase contains -> "icontains";
            case Check.Regex regex -> "regex";
            case Check.JsonDocument json -> "json";
        };
    }

    private static CheckResult evaluate(Check check, String response) {
        Finding finding = switch (check) {
            case Check.Equals equals -> equal(equals.value(), response);
            case Check.Contains contains ->
                contain(response.contains(contains.value()), contains.value(), response, "");
            case Check.ContainsIgnoringCase contains ->
                contain(
                        CaseFolding.fold(response).contains(CaseFolding.fold(contains.value())),
                        contains.value(),
                        response,
                        ", in upper or lower case");
            case Check.Regex regex -> match(regex.value(), response);
            case Check.JsonDocument json -> JsonRule.find(json, response);
        };
        Double score = switch (finding.status()) {
            case PASSED -> 1.0;
            case FAILED -> 0.0;
            case UNSCORED -> null;
        };
        return new CheckResult(
                type(check), finding.status(), score, finding.reason(), check.required(), check.weight());
    }

    private static Finding equal(String value, String response) {
        return Finding.of(
                WhiteSpace.trim(response).equals(WhiteSpace.trim(value)),
                "The response is " + quoted(value) + ".",
                "Expected " + quoted(value) + ", but found " + found(response) + ".");
    }

    private static Finding contain(boolean contained, String value, String response, String how) {
        return Finding.of(
                contained,
                "The response contains " + quoted(value) + how + ".",
                "Expected a response that contains " + quoted(value) + how + ", but found " + found(response) + ".");
    }

    private static Finding match(String regex, String response) {
        try {
            return Finding.of(
                    GuardedPattern.compile(regex).find(response),
                    "The response matches the pattern " + quoted(regex) + ".",
                    "Expected a match of the pattern " + quoted(regex) + ", but found " + found(response) + ".");
        } catch (GuardedPattern.TooLongException e) {
            return Finding.unscored("The pattern took too long on this response: " + quoted(regex)
                    + "; write it without nested repetitions.");
        } catch (PatternSyntaxException e) {
            return Finding.unscored(
                    "The pattern " + quoted(regex) + " cannot be used: " + Excerpt.of(e.getDescription()) + ".");
        }
    }

    private static String quoted(String expected) {
        return "\"" + Excerpt.of(expected) + "\"";
    }

    private static String found(String response) {
        return response.isBlank() ? "an empty response" : "\"" + Excerpt.of(response) + "\"";
    }
}
