package dev.assay.domain.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class LabelCsvTest {

    private static LabelFile read(String text) {
        return LabelCsv.read(text, _ -> {});
    }

    @Test
    void shouldReadColumnsInAnyOrderWhenAllAreThere() {
        LabelFile file = read("at,note,label,trial,branch,case,campaign,check,labeller\r\n"
                + "2026-05-04T09:30:00+02:00,\"two\r\nlines\",UnSure,3,b,'=c,k,similar,Anna\r\n");

        LabelLine line = file.lines().getFirst();
        assertThat(line.line()).isEqualTo(2);
        assertThat(line.target()).isEqualTo(new LabelLine.Cell("k", "=c", "b", 3));
        assertThat(line.value()).isEqualTo(LabelValue.UNSURE);
        assertThat(line.note()).isEqualTo("two\r\nlines");
        assertThat(line.check()).isEqualTo("similar");
        assertThat(line.at()).isEqualTo(Instant.parse("2026-05-04T07:30:00Z"));
    }

    @Test
    void shouldCountLinesWhenSomeAreBlankOrHaveSeveralRows() {
        LabelFile file = read("case,label,note\n\nc,pass,\"a\nb\"\n\nd,,\ne,0.5,\n");

        assertThat(file.lines()).extracting(LabelLine::line).containsExactly(3L, 7L);
        assertThat(file.open()).isEqualTo(1);
        assertThat(file.lines().getLast().value().verdict()).isEqualTo(LabelValue.Word.PASS);
    }

    @ParameterizedTest
    @CsvSource({
        "1.2, label",
        "NaN, label",
        "-0, label",
        "1e0, label",
        "0x1, label",
        "Infinity, label",
        "1d, label",
        "pass!, label"
    })
    void shouldNameTheColumnWhenALabelIsNone(String label, String column) {
        assertThatThrownBy(() -> read("case,label\nc," + label + "\n"))
                .isInstanceOfSatisfying(AssayException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_INPUT);
                    assertThat(error.errors())
                            .singleElement()
                            .satisfies(one -> assertThat(one.path()).isEqualTo("line 2, " + column));
                });
    }

    @Test
    void shouldRefuseWhatCannotBeStoredWhenItIsWritten() {
        assertThatThrownBy(
                        () -> read("case,label,note,labeller,trial,at\nc,pass,a\u0000b,\u2028,0,9999-01-01T00:00:00Z\n"
                                + "c,pass," + "x".repeat(10_001) + ",,,\nc,pass,\uD800,,,\n"))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        error -> assertThat(error.errors())
                                .extracting(one -> one.path())
                                .containsExactly(
                                        "line 2, trial",
                                        "line 2, labeller",
                                        "line 2, note",
                                        "line 2, at",
                                        "line 3, note",
                                        "line 4, note"));
    }

    @Test
    void shouldEndInLabelsOrATypedErrorWhateverIsRead() {
        Random random = new Random(11);
        String[] pieces = {
            "case",
            "label",
            "item",
            "trial",
            "note",
            ",",
            "\n",
            "\r\n",
            "\"",
            "\"\"",
            "pass",
            "fail",
            "unsure",
            "0.5",
            "1",
            "0",
            "0123456789abcdef",
            "\u0000",
            "\u001b[31m",
            "'=1",
            "=1",
            "\uFEFF",
            " ",
            "é",
            "\uD800",
            "99999999999",
            ";",
            "\t",
            "-1"
        };
        int accepted = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "case,label,note,trial\n" : "");
            for (int i = random.nextInt(30); i > 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                read(text.toString())
                        .lines()
                        .forEach(line -> assertThat(line.value()).isNotNull());
                accepted++;
            } catch (AssayException e) {
                assertThat(e.code()).isIn(ErrorCode.INVALID_INPUT, ErrorCode.MALFORMED_INPUT);
            }
        }
        assertThat(accepted).as("some files are good").isBetween(100, 19_900);
    }

    @Test
    void shouldEndSoonWhenAFileHasManyErrors() {
        assertThatThrownBy(() -> read("case,label\n" + ",x\n".repeat(200_000)))
                .isInstanceOfSatisfying(AssayException.class, error -> {
                    assertThat(error.errors()).hasSizeLessThanOrEqualTo(10_000);
                    assertThat(error.moreErrors() + error.errors().size()).isEqualTo(400_000);
                });
    }
}
