package dev.assay.activities.campaign;

/** Texts cut for Temporal, whose payloads stay small. */
final class ShortText {

    private ShortText() {}

    /** {@code text}, or as much of it as fits {@code most} characters with an ellipsis. */
    static String of(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }
}
