package dev.assay.cli.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.ToolResults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are cut off, changed, or made to do harm: each is read, or refused by an error that names its file. */
@Timeout(300)
final class DamagedResultsTest {

    private static final Path FILES = Path.of("src", "test", "resources", "results");
    private static final int CUTS = 100;
    private static final int MUTATIONS = 100;
    private static final long SEED = 20_261_127;

    @TempDir
    private Path directory;

    static Stream<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(FILES)) {
            return all.filter(file -> !file.endsWith("expected.json")).sorted().toList().stream();
        }
    }

    private @Nullable AssayException read(Path file, ImportChoices options) {
        List<OpenFile> open = new ArrayList<>();
        try {
            open.add(OpenFile.of(file, options.salvage()));
            for (ResultGroups.Group group : ResultGroups.of(open)) {
                ToolResults results = group.reading().read(options);
                ResultCounts counts = new ResultCounts(results.header());
                results.write(counts::add);
                assertThat(counts.sentence()).isNotEmpty();
            }
            return null;
        } catch (AssayException e) {
            return e;
        } finally {
            open.forEach(OpenFile::close);
        }
    }

    private Path written(Path like, byte[] content) throws IOException {
        return Files.write(directory.resolve(like.getFileName().toString()), content);
    }

    private static void assertTyped(@Nullable AssayException error) {
        if (error != null) {
            assertThat(error.code()).isIn(ErrorCode.INVALID_INPUT, ErrorCode.MALFORMED_INPUT);
            assertThat(error.getMessage()).isNotBlank();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void shouldRefuseAFileThatIsCutOff(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int i = 0; i < CUTS; i++) {
            byte[] cut = Arrays.copyOf(whole, (int) ((long) whole.length * i / CUTS));
            AssayException error = read(written(file, cut), ImportChoices.NONE);
            assertTyped(error);
            refused += error == null ? 0 : 1;
            AssayException salvaged = read(written(file, cut), new ImportChoices(null, null, null, null, true));
            assertTyped(salvaged);
        }
        // A file of lines is whole where it ends behind one.
        assertThat(refused).isGreaterThan(file.toString().endsWith(".jsonl") ? CUTS / 2 : CUTS - 1);
    }

    @ParameterizedTest
    @MethodSource("files")
    void shouldReadOrRefuseAFileThatWasChanged(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(SEED);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] changed = whole.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            assertTyped(read(written(file, changed), ImportChoices.NONE));
        }
    }

    @Test
    void shouldSalvageWhatIsWholeOfALogThatIsCutOff() throws IOException {
        byte[] whole = Files.readAllBytes(FILES.resolve("capitals.eval"));
        Path cut = Files.write(directory.resolve("cut.eval"), Arrays.copyOf(whole, whole.length / 2));
        List<String> outcomes = new ArrayList<>();

        try (OpenFile open = OpenFile.of(cut, true)) {
            ToolResults results = ResultGroups.of(List.of(open))
                    .getFirst()
                    .reading()
                    .read(new ImportChoices(null, null, null, null, true));
            results.write(line -> outcomes.add(line.path("caseId").asText()));

            assertThat(results.ended()).contains("started").contains("missing");
        }

        assertThat(outcomes).hasSizeBetween(4, 20);
        assertThat(read(cut, ImportChoices.NONE)).hasMessageContaining("--salvage");
    }

    private Path zip(String entry, String content) throws IOException {
        Path file = directory.resolve("made.eval");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("header.json"));
            zip.write("{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"t\", \"model\": \"m\"}}"
                    .getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return file;
    }

    @Test
    void shouldNameTheEntryWhenItIsNoJson() throws IOException {
        AssayException error =
                read(zip("samples/a_epoch_1.json", "{\"id\": \"a\", \"epoch\": 1,\n oops}"), ImportChoices.NONE);

        assertThat(error).isNotNull();
        assertThat(error.getMessage()).contains("made.eval, entry samples/a_epoch_1.json, line 2, column");
    }

    @Test
    void shouldRefuseANameThatLeavesTheArchive() throws IOException {
        assertThat(read(zip("samples/../../a_epoch_1.json", "{}"), ImportChoices.NONE))
                .hasMessageContaining("must not hold `..`");
    }

    @Test
    void shouldRefuseDeepNesting() throws IOException {
        String deep = "{\"id\": 1, \"epoch\": 1, \"input\": " + "[".repeat(600) + "]".repeat(600) + "}";

        assertThat(read(zip("samples/1_epoch_1.json", deep), ImportChoices.NONE))
                .hasMessageContaining("nested deeper than 500");
    }

    @Test
    void shouldRefuseABombBeforeItIsUnpacked() throws IOException {
        Path file = directory.resolve("bomb.eval");
        byte[] zeros = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("samples/a_epoch_1.json"));
            for (int i = 0; i < 1_100; i++) {
                zip.write(zeros);
            }
            zip.closeEntry();
        }
        long begin = System.nanoTime();

        assertThat(read(file, ImportChoices.NONE)).hasMessageContaining("at most 1 GiB is read");
        assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000L);
    }

    @Test
    void shouldNameBothPlacesWhenASampleIsThereTwice() throws IOException {
        String sample = "{\"id\": 1, \"epoch\": 1, \"input\": \"a\", \"target\": \"b\", \"scores\": {}}";
        Path file = Files.writeString(
                directory.resolve("twice.json"),
                "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\":"
                        + " ["
                        + sample + ",\n" + sample + "]}");

        assertThat(read(file, ImportChoices.NONE))
                .hasMessageContaining("line 2")
                .hasMessageContaining("line 1");
    }

    @Test
    void shouldReadNumbersThatAreNoneAsUnscored() throws IOException {
        Path file = Files.writeString(
                directory.resolve("nan.json"),
                "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\":"
                    + " [{\"id\": 1, \"epoch\": 1, \"input\": \"a\", \"target\": \"b\", \"scores\": {\"s\":"
                    + " {\"value\": NaN}, \"t\": {\"value\": -Infinity}, \"u\": {\"value\": [1]}, \"v\": {\"value\":"
                    + " \"maybe\"}}}]}");

        assertThat(read(file, ImportChoices.NONE)).isNull();
        List<OpenFile> open = List.of(OpenFile.of(file));
        try (OpenFile one = open.getFirst()) {
            ToolResults results =
                    ResultGroups.of(List.of(one)).getFirst().reading().read(ImportChoices.NONE);
            results.write(line -> line.path("checks")
                    .forEach(check -> assertThat(check.path("status").asText()).isEqualTo("UNSCORED")));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                       | It has no form
        3                        | It has no form
        {"prompts": []}          | import
        {"results": {"version": 4, "prompts": [], "results": []}} | `results.version` is 4
        {"object": "eval", "id": "e"} | eval.run.output_item
        """)
    void shouldSayWhatIsMissing(String content, String said) throws IOException {
        Path file = Files.writeString(directory.resolve("other.json"), content);

        assertThat(read(file, ImportChoices.NONE)).hasMessageContaining(said);
    }

    @Test
    void shouldNameTheMetricsThatThereAre() {
        assertThat(read(FILES.resolve("scores.eval"), new ImportChoices(null, null, null, "nothing", false)))
                .satisfies(
                        error -> assertThat(error.errors().getFirst().message()).contains("match", "sometimes"));
        assertThat(read(FILES.resolve("capitals-promptfoo.json"), new ImportChoices(null, null, 0.5, null, false)))
                .isNotNull();
    }

    @Test
    void shouldRefuseAFileThatChangesWhileItIsRead() throws IOException {
        Path file = Files.copy(FILES.resolve("capitals.eval"), directory.resolve("capitals.eval"));
        try (OpenFile open = OpenFile.of(file)) {
            Files.write(file, new byte[] {0}, java.nio.file.StandardOpenOption.APPEND);
            assertThatThrownBy(open::checkSame).hasMessageContaining("changed while it was read");
        }
    }
}
