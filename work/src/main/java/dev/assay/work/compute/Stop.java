package dev.assay.work.compute;

import java.time.Duration;

/** The reason why a definition has no answer. */
public sealed interface Stop {

    /** What it did, to stand behind its name in a sentence, without a full stop. */
    String deed();

    /** The sentence about {@code subject}, which begins it. */
    default String sentence(String subject) {
        return subject + " " + deed() + ".";
    }

    /** Whether it counts as a strike: it would take as much again. */
    default boolean isStrike() {
        return true;
    }

    /** It took more time than it has: of a processor, or of the clock where its process was frozen. */
    record Late(Duration limit) implements Stop {
        @Override
        public String deed() {
            long millis = limit.toMillis();
            return "took more than " + (millis % 1000 == 0 ? Long.toString(millis / 1000) : millis / 1000.0) + " s";
        }
    }

    /** It took more memory than its process has. */
    record TooLarge(int megabytes) implements Stop {
        @Override
        public String deed() {
            return "took more than " + megabytes + " MB";
        }
    }

    /** Its answer or its input is too long for a frame. */
    record TooLong(int megabytes) implements Stop {
        @Override
        public String deed() {
            return "moves more than " + megabytes + " MB";
        }
    }

    /** Its process ended twice, or said what no process says. */
    record Ended() implements Stop {
        @Override
        public String deed() {
            return "ended its compute process twice";
        }
    }

    /** It was stopped too often before, and was not run. */
    record Struck(int times) implements Stop {
        @Override
        public String deed() {
            return "was stopped " + times + " times in this campaign and is not run again";
        }

        @Override
        public boolean isStrike() {
            return false;
        }
    }

    /** It failed by an exception that nothing expected, such as for its depth. */
    record Failed(String exception) implements Stop {
        @Override
        public String deed() {
            return exception.equals(StackOverflowError.class.getSimpleName())
                    ? "is nested too deeply"
                    : "failed unexpectedly (" + exception + ")";
        }

        @Override
        public boolean isStrike() {
            return false;
        }
    }
}
