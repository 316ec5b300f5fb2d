package dev.assay.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErrorReportTest {

    private static List<String> report(List<FieldError> errors, int more, boolean each) {
        StringWriter text = new StringWriter();
        ErrorReport.write(
                AssayException.invalid("The file has errors", errors, more), each, new PrintWriter(text, true));
        return text.toString().lines().toList();
    }

    private static List<FieldError> errors(String message, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> new FieldError("cases[" + i + "].trials", message))
                .toList();
    }

    @Test
    void shouldNameASentenceOnceWithItsFirstThreePlacesWhenManyPlacesHaveIt() {
        List<FieldError> mixed = new ArrayList<>(errors("Wrong.", 2));
        mixed.add(new FieldError("name", "Missing."));
        mixed.addAll(errors("Wrong.", 1_167).subList(2, 1_167));
        assertThat(report(mixed, 0, false))
                .containsExactly(
                        "Wrong. (1,167 places: cases[0].trials, cases[1].trials, cases[2].trials, …)",
                        "name: Missing.",
                        "assay: 1,168 errors of 2 kinds; nothing was stored or started.");
        assertThat(report(errors("Wrong.", 3), 0, false))
                .startsWith("Wrong. (3 places: cases[0].trials, cases[1].trials, cases[2].trials)");
    }

    @Test
    void shouldGroupSentencesThatDifferByTheirPathAloneWhenTheyNameIt() {
        List<FieldError> errors = List.of(
                new FieldError("cases[0].id", "`cases[0].id` is missing."),
                new FieldError("cases[7].id", "`cases[7].id` is missing."),
                new FieldError("tags[0]", "`tags[0]` must be text."),
                new FieldError("tags[1]", "`tags[1]` must be text."),
                new FieldError("name", "`name` is missing."));
        assertThat(report(errors, 0, false))
                .containsExactly(
                        "`id` is missing. (2 places: cases[0].id, cases[7].id)",
                        "`tags[…]` must be text. (2 places: tags[0], tags[1])",
                        "name: `name` is missing.",
                        "assay: 5 errors of 3 kinds; nothing was stored or started.");
    }

    @Test
    void shouldPrintEachErrorWhenAllAreAskedFor() {
        assertThat(report(errors("Wrong.", 150), 20, true))
                .hasSize(152)
                .contains("cases[149].trials: Wrong.")
                .endsWith(
                        "… and 20 more errors.",
                        "assay: 170 errors of at least 1 kind; nothing was stored or started.");
    }

    @Test
    void shouldShowAHundredKindsAndTheNumberOfTheOthersWhenThereAreMany() {
        List<FieldError> many = IntStream.range(0, 150)
                .mapToObj(i -> new FieldError("field" + i, "Wrong " + i + "."))
                .toList();
        assertThat(report(many, 20, false))
                .hasSize(102)
                .endsWith(
                        "… and 70 more errors.",
                        "assay: 170 errors of at least 150 kinds; nothing was stored or started.");
        assertThat(report(many.subList(0, 1), 1, false))
                .containsExactly(
                        "field0: Wrong 0.",
                        "… and 1 more error.",
                        "assay: 2 errors of at least 1 kind; nothing was stored or started.");
        assertThat(report(many.subList(0, 1), 0, false))
                .containsExactly("field0: Wrong 0.", "assay: 1 error; nothing was stored or started.");
    }
}
