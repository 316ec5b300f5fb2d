package dev.assay.domain.definition;

/**
 * A text of a user that is a small program: it decides what is computed, and for how long.
 *
 * @param text as it is written; a schema as JSON
 */
public record Definition(Kind kind, String text) {

    /** The languages. */
    public enum Kind {
        /** A regular expression in Java's syntax. */
        PATTERN("it %s"),
        /** A JSON Schema. */
        SCHEMA("The JSON Schema cannot be used: it %s."),
        /** A template of a prompt. */
        TEMPLATE("The template cannot be filled: it %s."),
        /** A JSONPath. */
        PATH("It %s.");

        private final String stopped;

        Kind(String stopped) {
            this.stopped = stopped;
        }

        /** The problem with a definition that was stopped, for what it did. */
        public String stopped(String deed) {
            return stopped.formatted(deed);
        }
    }
}
