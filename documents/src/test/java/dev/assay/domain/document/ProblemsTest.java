package dev.assay.domain.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.domain.error.AssayException;
import org.junit.jupiter.api.Test;

class ProblemsTest {

    private static final int LONGEST = 1_000;

    @Test
    void shouldCutPathsAndMessagesWhenADocumentMakesThemLong() {
        Problems problems = new Problems();

        problems.add("branches." + "b".repeat(100_000), "Unknown field " + "f".repeat(100_000));

        assertThat(problems.errors()).singleElement().satisfies(error -> {
            assertThat(error.path()).startsWith("branches.").endsWith("…").hasSizeLessThanOrEqualTo(LONGEST + 1);
            assertThat(error.message()).startsWith("Unknown").endsWith("…").hasSizeLessThanOrEqualTo(LONGEST + 1);
        });
    }

    @Test
    void shouldNameTheFirstErrorAndCountTheOthersWhenItThrows() {
        Problems problems = new Problems();
        problems.add("name", "Write a name");
        problems.add("cases", "Write cases");

        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(() -> problems.throwIfAny("campaign file"))
                .withMessage("The campaign file has 2 errors, the first: name: Write a name");
    }
}
