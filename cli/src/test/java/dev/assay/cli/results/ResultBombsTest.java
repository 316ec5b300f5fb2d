package dev.assay.cli.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.assay.cli.results.MadeArchive.Stated;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.ToolResults;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that would fill memory or time if they were believed. Each is refused with little of both. */
@Timeout(60)
final class ResultBombsTest {

    private static final long TEN_GIB = 10L << 30;
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long LITTLE = 100L << 20;

    @TempDir
    private Path directory;

    private static void assertRefusedSoon(Path file, boolean salvage, String said) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();

        assertThatThrownBy(() -> read(file, salvage))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining(String.valueOf(file.getFileName()))
                .hasMessageContaining(said);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LITTLE);
    }

    private static void read(Path file, boolean salvage) {
        try (OpenFile open = OpenFile.of(file, salvage)) {
            ToolResults results = ResultGroups.of(List.of(open))
                    .getFirst()
                    .reading()
                    .read(new ImportChoices(null, null, null, null, salvage));
            results.write(line -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {MadeArchive.DEFLATED, MadeArchive.ZSTD})
    void shouldRefuseTenGigabytesOfZerosBeforeTheyAreUnpacked(int method) throws IOException {
        byte[] packed = MadeArchive.packed(method, (byte) 0);

        assertRefusedSoon(
                MadeArchive.of(directory.resolve("honest.eval"), method, packed, TEN_GIB),
                false,
                "at most 1 GiB is read");
        assertRefusedSoon(
                MadeArchive.of(directory.resolve("ratio.eval"), method, Arrays.copyOf(packed, 500_000), 1L << 30),
                false,
                "that is no log");
    }

    /** Spaces before a value are JSON, so a reader goes on as long as they come. */
    @ParameterizedTest
    @CsvSource({"8, 0", "8, 32", "93, 0", "93, 32"})
    void shouldStopWhereAnEntryIsLongerThanTheArchiveStates(int method, byte filled) throws IOException {
        byte[] packed = MadeArchive.packed(method, filled);
        String said = filled == 0 ? "It is not UTF-8" : "does not have the length";

        assertRefusedSoon(MadeArchive.of(directory.resolve("lies.eval"), method, packed, 1_000_000), false, said);
    }

    /** Where a length does not fit, the true one stands elsewhere, so the entry is not found. */
    @ParameterizedTest
    @CsvSource({
        "8, 10737418240, It holds neither header.json",
        "8, 1000000, does not have the length",
        "93, 1000000, does not have the length"
    })
    void shouldRefuseTheSameOfALogThatWasCutOff(int method, long size, String said) throws IOException {
        byte[] packed = MadeArchive.packed(method, (byte) ' ');
        Path file = MadeArchive.cut(directory.resolve("cut.eval"), method, packed, size);

        assertRefusedSoon(file, true, said);
        assertRefusedSoon(file, false, "--salvage");
    }

    /** Where the end names a part of the list alone, that part is all that is read. */
    @ParameterizedTest
    @CsvSource({
        "TRUE, too many entries",
        "IS_SHORT_BESIDE_THE_TRUTH, too many entries",
        "BEGINS_LATE, header.json",
        "IS_SHORT, header.json"
    })
    void shouldReadNoMillionEntriesWhateverTheEndSays(Stated stated, String said) throws IOException {
        Path file = MadeArchive.listing(directory.resolve("many.eval"), 1_500_000, stated);

        assertRefusedSoon(file, false, said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void shouldRefuseTenMillionLevels(String level) throws IOException {
        String head =
                "{\"version\": 2, \"status\": \"success\", \"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\":"
                        + " [{\"id\": 1, \"epoch\": 1, \"input\": ";
        Path file = Files.writeString(directory.resolve("deep.json"), head + level.repeat(10_000_000));

        assertRefusedSoon(file, false, "nested deeper than 500");
    }
}
