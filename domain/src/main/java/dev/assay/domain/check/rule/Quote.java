package dev.assay.domain.check.rule;

import dev.assay.domain.text.Excerpt;

/** Texts as the reasons of findings show them. */
public final class Quote {

    private Quote() {}

    public static String of(String expected) {
        return "\"" + Excerpt.of(expected) + "\"";
    }

    public static String ofResponse(String response) {
        return response.isBlank() ? "an empty response" : of(response);
    }
}
