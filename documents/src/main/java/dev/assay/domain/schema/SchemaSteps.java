package dev.assay.domain.schema;

/** The remaining budget of one application of a JSON Schema. A step is about one keyword on one value. */
final class SchemaSteps {

    /** Steps of one application: about a second. */
    static final int MAX_STEPS = 1_000_000;

    /** Steps for reading one keyword. They bound memory: there are new keywords behind each spelling of a reference. */
    private static final int PER_KEYWORD = 10;

    private long left = MAX_STEPS;

    /** The steps are used up. */
    static final class SpentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SpentException() {
            super("The JSON Schema needs too many steps", null, false, false);
        }
    }

    void spend(long steps) {
        left -= steps;
        if (left < 0) {
            throw new SpentException();
        }
    }

    void keywordRead() {
        spend(PER_KEYWORD);
    }

    /** True once they are used up: libraries wrap exceptions. */
    boolean areUsedUp() {
        return left < 0;
    }
}
