package dev.assay.domain.definition;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The question whether definitions can be used. A server binds a judge by {@link #judgedBy}, since reading them may take without end.
 * Elsewhere they are read where the question is asked.
 */
public final class Definitions {

    private static final ScopedValue<Judge> JUDGE = ScopedValue.newInstance();

    private Definitions() {}

    /** Says whether definitions can be used. */
    @FunctionalInterface
    public interface Judge {

        /** The problem with a definition; null: none that is known. */
        @Nullable
        String problem(Definition definition);
    }

    /** Reads what has definitions, with {@code judge} for all of them. */
    public static <T> T judgedBy(Judge judge, Supplier<T> reading) {
        return ScopedValue.where(JUDGE, judge).call(reading::get);
    }

    /** Reads what is stored. Its definitions were judged when it was submitted. */
    public static <T> T trusted(Supplier<T> reading) {
        return judgedBy(_ -> null, reading);
    }

    /**
     * The problem with a definition; null: none.
     *
     * @param text the definition, asked for only when there is a judge
     * @param here says it where there is none
     */
    public static @Nullable String problem(
            Definition.Kind kind, Supplier<String> text, Supplier<@Nullable String> here) {
        return JUDGE.isBound() ? JUDGE.get().problem(new Definition(kind, text.get())) : here.get();
    }
}
