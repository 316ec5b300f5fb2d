package dev.assay.domain.fastskill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TomlText;
import dev.assay.domain.document.YamlText;
import dev.assay.domain.error.AssayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in a file: it is read, or refused with a typed error, and soon. */
@Timeout(60)
class FastSkillFuzzTest {

    private static final int DOCUMENTS = 3_000;

    private static final String CSV = "id,prompt,should_trigger,tags\r\na,\"b \"\"c\"\"\nd\",true,\"x,y\"\n\nb,q,0,\n";

    private static final String TOML = """
        [tool.fastskill.eval]
        prompts = "a.csv" # comment
        trials_per_case = 0x5
        pass_threshold = 6.0e-1
        other = {a = [1, 2.5, inf, 1979-05-27T07:32:00Z], "b.c" = '''x'''}
        [[check]]
        name = "file_exists"
        path = "\\u00e4"
        """;

    private static final List<String> PIECES = List.of(
            "\"",
            "'",
            "\n",
            "\r",
            ",",
            "[",
            "]",
            "{",
            "}",
            "=",
            ".",
            "\0",
            "\u001b",
            "\ud800",
            "\uFEFF",
            "\"\"\"",
            "'''",
            "\\u",
            "\\U00110000",
            "9".repeat(400),
            "1e999999999",
            "nan",
            "-",
            "_",
            "0x",
            "check",
            "a = 1\n",
            "[[a]]\n",
            "\u2028",
            "1979-99-99",
            "#");

    private final Random random = new Random(14);

    private String mutated(String seed) {
        StringBuilder text = new StringBuilder(seed);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(text.length() + 1);
            switch (random.nextInt(3)) {
                case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(8)));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(20))));
            }
        }
        return text.toString();
    }

    private void everyDocument(String seed, Consumer<String> reader) {
        int read = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            String text = mutated(seed);
            try {
                reader.accept(text);
                read++;
            } catch (AssayException typed) {
                assertThat(typed.getMessage()).as(text).startsWith("").isNotBlank();
            } catch (RuntimeException | Error untyped) {
                throw new AssertionError("Untyped for: " + text, untyped);
            }
        }
        assertThat(read).isBetween(DOCUMENTS / 50, DOCUMENTS - 1);
    }

    @Test
    void shouldReadOrRefuseWhenPromptsAreMutated() {
        everyDocument(CSV, text -> {
            Problems problems = new Problems();
            List<PromptRow> rows = PromptsCsv.read(text, "suite", problems);
            assertThat(problems.errors()).allMatch(error -> error.message().startsWith("EVAL_INVALID_CSV: "));
            problems.throwIfAny("file");
            assertThat(rows).isNotEmpty();
        });
    }

    @Test
    void shouldReadOrRefuseWhenSettingsAreMutated() {
        everyDocument(TOML.replaceAll("(?m)^other.*\n", ""), EvalConfig::readIfThere);
    }

    @Test
    void shouldReadOrRefuseWhenChecksAreMutated() {
        everyDocument(TOML.substring(TOML.indexOf("[[check]]")), ChecksToml::read);
    }

    @Test
    void shouldReadOrRefuseWhenTomlIsMutated() {
        everyDocument(TOML, TomlText::parse);
    }

    @Test
    void shouldEndSoonWhenAFileIsHuge() {
        long began = System.nanoTime();
        Problems problems = new Problems();
        PromptsCsv.read("id,prompt,should_trigger\n" + "a,b,true\n".repeat(200_000), "suite", problems);
        assertThat(problems.count()).isEqualTo(199_999);
        PromptsCsv.read("id,prompt,should_trigger\n\"" + "x,".repeat(2_000_000), "suite", new Problems());
        for (String deep : List.of(
                "a = " + "[".repeat(100_000),
                "a = " + "{b = ".repeat(50_000),
                "[" + "a.".repeat(50_000) + "a]\nb = 1")) {
            assertThatThrownBy(() -> ChecksToml.read(deep)).isInstanceOf(AssayException.class);
        }
        assertThatThrownBy(() -> ChecksToml.read("#".repeat(5 << 20))).hasMessageContaining("larger than 4 MB");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "off",
                "yes",
                "null",
                "~",
                "1",
                "1.0",
                "0x1F",
                ".nan",
                "1e5",
                "",
                " x ",
                "- a",
                "# b",
                "a: b",
                "a\nb\n",
                "\n",
                "\u0001\u001b\u0085",
                "'\"\\",
                "@x",
                "%",
                "\uD83D\uDCCF",
                "x\r\ny",
                "\t",
                "2001-01-01",
                "=",
                "<<",
                "|",
                "*a",
                "&a",
                "!!str x",
                "{{prompt}}"
            })
    void shouldBeReadBackAsItWasWhenWrittenAsYaml(String text) {
        var tree = new com.fasterxml.jackson.databind.ObjectMapper().createObjectNode();
        tree.put("text", text)
                .put("n", 5)
                .put("flag", true)
                .putArray("list")
                .add(text + "x")
                .add(text);
        tree.putObject("map").put(text + "k", text);
        assertThat(DocumentText.parse(YamlText.write(tree)).toString()).isEqualTo(tree.toString());
    }

    @Test
    void shouldNameEveryLineWhenManyAreWrong() {
        Problems problems = new Problems();
        List<PromptRow> rows = PromptsCsv.read("""
            id,prompt,should_trigger,tags,owner
            a,"two
            lines",TRUE,"x, ,y",ann

            b,p,true,t,o,one too many
            ,,
            c,"a\u0000b",1
            d,p,1,"bad\ttag",
            e,p
            """, "suite", problems);
        List<String> lines = new ArrayList<>();
        problems.errors()
                .forEach(error ->
                        lines.add(error.message().replaceFirst("EVAL_INVALID_CSV: (line \\d+): (\\w+).*", "$1 $2")));
        assertThat(lines).containsExactly("line 5 the", "line 6 id", "line 6 prompt", "line 7 prompt", "line 8 tags");
        assertThat(rows).extracting(PromptRow::id).containsExactly("a", "e");
        assertThat(rows.getFirst().tags()).containsExactly("x", "y");
        assertThat(rows.getFirst().metadata()).containsEntry("owner", "ann");
        assertThat(rows.getLast().metadata()).containsEntry("owner", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id,prompt,should_trigger,id", "id,prompt,should_trigger,", "id,prompt,should_trigger"})
    void shouldRefuseWhenColumnsAreDoubleNamelessOrWithoutACase(String header) {
        Problems problems = new Problems();
        assertThat(PromptsCsv.read(header + "\n", "suite", problems)).isEmpty();
        assertThat(problems.errors()).hasSize(1);
    }
}
