package dev.assay.domain.check;

import dev.assay.domain.text.Excerpt;

/** Texts as the reasons of findings show them. */
final class Quote {

    private Quote() {}

    static String of(String expected) {
        return "\"" + Excerpt.of(expected) + "\"";
    }

    static String ofResponse(String response) {
        return response.isBlank() ? "an empty response" : of(response);
    }
}
