package dev.assay.work.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the vectors are too small for: amounts, messages, and what a hostile archive costs. */
class ArchiveReaderTest {

    private static String refusal(InputStream archive) throws IOException {
        return ArchiveReader.refusal(archive).orElse("accepted");
    }

    private static String refusal(RawTar archive) throws IOException {
        return refusal(new ByteArrayInputStream(archive.end()));
    }

    /** Zeros that are nowhere in memory. */
    private static InputStream zeros(long count) {
        return new InputStream() {
            private long left = count;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] buffer, int from, int length) {
                if (left <= 0) {
                    return -1;
                }
                int read = (int) Math.min(left, length);
                Arrays.fill(buffer, from, from + read, (byte) 0);
                left -= read;
                return read;
            }
        };
    }

    /** An archive whose parts are made as they are read. */
    private static InputStream parts(int count, IntFunction<RawTar> part) {
        return new SequenceInputStream(Collections.enumeration(new AbstractList<InputStream>() {
            @Override
            public InputStream get(int index) {
                return new ByteArrayInputStream(part.apply(index).open());
            }

            @Override
            public int size() {
                return count;
            }
        }));
    }

    private static RawTar headerOnly(String name, long size) {
        return new RawTar().header('0', RawTar.utf8(name), RawTar.utf8(""), "0000644\0", "%011o\0".formatted(size));
    }

    @Test
    void shouldNameEntryLinkAndRuleWhenAnArchiveIsRefused() throws IOException {
        RawTar archive = new RawTar();
        for (int i = 1; i <= 10; i++) {
            archive.file("f" + i, "x");
        }

        assertThat(refusal(archive.link("d", "f1").file("d/x", "y")))
                .isEqualTo("Entry 12 `d/x` of the archive lies below the link `d` (rule 4).");
    }

    /** A header with a long name belongs to its entry: numbers are those of `tar -t`. */
    @Test
    void shouldCountEntriesAsTarListsThemWhenHeadersStandBeforeThem() throws IOException {
        RawTar archive = new RawTar().directory(".").file("a".repeat(120), "").file("../x", "");

        assertThat(refusal(archive))
                .isEqualTo("Entry 3 `../x` of the archive has the segment `..` in its name (rule 2).");
    }

    static Stream<Arguments> refusedNames() {
        String unprintable = "has a control character or a backslash in its name";
        return Stream.of(
                Arguments.of("a\u001b[2Jb", "a\\u001b[2Jb", unprintable),
                Arguments.of("a\nb", "a\\u000ab", unprintable),
                Arguments.of("a\\b", "a\\\\b", unprintable),
                Arguments.of("\u202ename/..", "\\u202ename/..", "has the segment `..` in its name"),
                Arguments.of("/etc/passwd", "/etc/passwd", "has an absolute name"),
                Arguments.of("a//b", "a//b", "has `//` in its name"));
    }

    @ParameterizedTest
    @MethodSource("refusedNames")
    void shouldShowEscapesWhenANameHoldsWhatTerminalsObey(String name, String shown, String reason) throws IOException {
        assertThat(refusal(new RawTar().file(name, "")))
                .isEqualTo("Entry 1 `%s` of the archive %s (rule 2).".formatted(shown, reason));
    }

    @Test
    void shouldCutNamesAndShowBytesThatAreNoTextWhenTheyAreRefused() throws IOException {
        assertThat(refusal(new RawTar().file("n".repeat(300), "")))
                .isEqualTo("Entry 1 `" + "n".repeat(199)
                        + "…` of the archive has a segment of more than 255 bytes in its" + " name (rule 2).");
        assertThat(refusal(new RawTar().entry('0', new byte[] {'a', (byte) 0xff}, new byte[0], 0644, new byte[0])))
                .isEqualTo("Entry 1 `a\\xff` of the archive has a name that is not UTF-8 (rule 2).");
    }

    @Test
    void shouldNameBothWhenTwoNamesDifferInCaseOnly() throws IOException {
        assertThat(refusal(new RawTar().file("d/A/x", "").file("d/a/y", "")))
                .isEqualTo("Entry 2 `d/a/y` of the archive needs `d/a` beside `d/A`, which are one name where case and"
                        + " Unicode forms do not count (rule 3).");
    }

    /** Kinds without content and archives that are cut off declare what they like. */
    @Test
    void shouldCountWhatIsWrittenAndNotWhatIsDeclaredWhenSizesLie() throws IOException {
        RawTar directory = new RawTar()
                .header('5', RawTar.utf8("d"), RawTar.utf8(""), "0000755\0", "77777777777\0")
                .header('2', RawTar.utf8("l"), RawTar.utf8("d"), "0000777\0", "77777777777\0");

        assertThat(refusal(directory)).isEqualTo("accepted");
        assertThat(refusal(headerOnly("f", 1L << 32)))
                .isEqualTo("Entry 1 `f` of the archive is cut off: the archive ends within it (rule 1).");
    }

    @Test
    void shouldStopAtTheBoundWhenFilesAreLarger() throws Exception {
        long[] written = {0};
        ArchiveTarget counting = new CountingTarget(written);
        long half = ArchiveLimits.WRITTEN / 2;

        for (long over = 0; over <= 1; over++) {
            written[0] = 0;
            InputStream archive = new SequenceInputStream(Collections.enumeration(List.of(
                    new ByteArrayInputStream(headerOnly("a", half).open()),
                    zeros(half),
                    new ByteArrayInputStream(headerOnly("b", half + over).open()),
                    zeros(half + over))));
            if (over == 0) {
                assertThat(ArchiveReader.read(archive, counting)).isEqualTo(ArchiveLimits.WRITTEN);
            } else {
                assertThatThrownBy(() -> ArchiveReader.read(archive, counting))
                        .hasMessage(
                                "Entry 2 `b` of the archive brings the files to more than 209,715,200 bytes together"
                                        + " (rule 5).");
            }
            assertThat(written[0]).isLessThanOrEqualTo(ArchiveLimits.WRITTEN);
        }
    }

    private record CountingTarget(long[] written) implements ArchiveTarget {

        @Override
        public void directory(List<String> path) {}

        @Override
        public OutputStream file(List<String> path, boolean isExecutable) {
            return new OutputStream() {
                @Override
                public void write(int one) {
                    written[0]++;
                }

                @Override
                public void write(byte[] bytes, int from, int length) {
                    written[0] += length;
                }
            };
        }

        @Override
        public void link(List<String> path, String target) {}
    }

    @Test
    void shouldRefuseTheArchiveAsAWholeWhenItIsTooLarge() throws IOException {
        String tooLarge = "The archive has more than 268,435,456 bytes (rule 5).";

        assertThat(refusal(zeros(ArchiveLimits.STREAM))).isEqualTo("accepted");
        assertThat(refusal(zeros(ArchiveLimits.STREAM + 1))).isEqualTo(tooLarge);
        InputStream other = new SequenceInputStream(
                new ByteArrayInputStream(new RawTar().file("..", "").open()), zeros(ArchiveLimits.STREAM));
        assertThat(refusal(other)).isEqualTo(tooLarge);
    }

    @Test
    void shouldCountHeadersWhenThereAreMoreThanAHundredThousand() throws IOException {
        assertThat(refusal(parts(
                        100_001,
                        i -> i == 5
                                ? new RawTar().header('g', RawTar.utf8("g"), RawTar.utf8(""), "", "")
                                : headerOnly("f" + i, 0))))
                .isEqualTo("Entry 100000 of the archive is one of more than 100,000 (rule 5).");
    }

    @Test
    void shouldBoundWhatItKeepsWhenNamesAreLongDeepOrSlow() throws IOException {
        String deep = "/d".repeat(62).substring(1);
        assertThat(refusal(parts(2_000, i -> new RawTar().file(i + "/" + deep, ""))))
                .contains("lies in more than 100,000 directories that no entry names", "(rule 5)");

        String segment = "n".repeat(240);
        assertThat(refusal(parts(6_000, i -> new RawTar().file((i + segment + "/").repeat(12) + i, ""))))
                .contains("more than 16,777,216 bytes together (rule 5)");
        assertThat(refusal(parts(5_000, i -> new RawTar().link("l" + i, "t".repeat(4_096)))))
                .contains("more than 16,777,216 bytes together (rule 5)");
        assertThat(refusal(parts(1_000, i -> new RawTar().file("Σ".repeat(110) + i, ""))))
                .contains("more than 100,000 capital sigmas together (rule 5)");
    }

    /** Each of these ways is long and goes through the next link: walked anew for each they would take minutes. */
    @Test
    @Timeout(60)
    void shouldWalkEachWayOnceWhenLongLinksLeadThroughEachOther() throws IOException {
        String detour = "x/../".repeat(100);

        assertThat(refusal(parts(
                        10_000, i -> new RawTar().link("l" + i, detour + "l" + (i % 40 == 0 ? "none" : i - 1)))))
                .isEqualTo("accepted");
    }

    @Test
    void shouldHandOverLinksAfterEverythingWhenTheyComeFirst() throws Exception {
        RecordedTree tree = RecordedTree.of(new RawTar()
                .link("l", "d/f")
                .link("d/m", "../l")
                .file("d/f", "x")
                .directory("e")
                .end());

        assertThat(tree.order).containsExactly("d d", "f d/f", "d e", "l l", "l d/m");
    }

    @Test
    void shouldRefuseAndNeverFailWhenAValidArchiveIsBroken() throws IOException {
        Random random = new Random(50);
        byte[] valid = new RawTar()
                .directory("d")
                .file("d/f", "x".repeat(600))
                .link("d/l", "../d/./f")
                .file("n".repeat(120), "long")
                .entry('0', RawTar.utf8("run"), new byte[0], 0755, RawTar.utf8("#!"))
                .end();
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] broken = broken(valid, random);
            refused += ArchiveReader.refusal(new ByteArrayInputStream(broken)).isPresent() ? 1 : 0;
        }
        assertThat(refused).isBetween(5_000, 9_950);
    }

    static byte[] broken(byte[] valid, Random random) {
        byte[] broken = valid.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            // Most of an archive is zeros: the fields of its headers are where something happens.
            int header = 512 * random.nextInt(broken.length / 512);
            broken[header + random.nextInt(random.nextBoolean() ? 160 : 512)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(4) > 0) {
            RawTar.fixChecksums(broken);
        }
        return random.nextInt(10) == 0 ? Arrays.copyOf(broken, random.nextInt(broken.length)) : broken;
    }

    @Test
    void shouldThrowWhatTheSourceThrowsWhenItCannotBeRead() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("gone");
            }
        };

        assertThatThrownBy(() -> ArchiveReader.refusal(failing)).isInstanceOf(IOException.class);
    }
}
