package dev.assay.domain.document;

import java.util.function.Supplier;

/** The steps of the reading of a document. Who waits for a reading with a limit looks at each step whether to go on. */
public final class ReadingSteps {

    private static final ScopedValue<Runnable> LOOK = ScopedValue.newInstance();

    private ReadingSteps() {}

    /**
     * Reads a document, step by step.
     *
     * @param look called at each step; its exceptions end the reading
     */
    public static <T> T watched(Runnable look, Supplier<T> reading) {
        return ScopedValue.where(LOOK, look).call(reading::get);
    }

    /** One step of a reading. */
    static void step() {
        if (LOOK.isBound()) {
            LOOK.get().run();
        }
    }
}
