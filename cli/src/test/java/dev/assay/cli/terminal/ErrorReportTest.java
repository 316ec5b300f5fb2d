package dev.assay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorReportTest {

    private static List<String> report(int errors, int more) {
        StringWriter text = new StringWriter();
        List<FieldError> named = Collections.nCopies(errors, new FieldError("trials", "wrong"));
        ErrorReport.write(AssayException.invalid("The file has errors", named, more), new PrintWriter(text, true));
        return text.toString().lines().toList();
    }

    @Test
    void shouldShowAHundredErrorsAndTheNumberOfTheOthersWhenThereAreMany() {
        assertThat(report(150, 20))
                .hasSize(102)
                .endsWith("… and 70 more errors.", "assay: 170 errors; nothing was stored or started.");
        assertThat(report(1, 1))
                .containsExactly(
                        "trials: wrong", "… and 1 more error.", "assay: 2 errors; nothing was stored or started.");
        assertThat(report(1, 0)).containsExactly("trials: wrong", "assay: 1 error; nothing was stored or started.");
    }
}
