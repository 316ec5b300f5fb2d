package dev.assay.domain.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.domain.CpuTime;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GuardedPatternTest {

    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** Texts on which each hostile pattern is tried. */
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "a".repeat(64) + "!",
            "ab".repeat(5_000),
            "a1 ".repeat(30_000) + "\n",
            "a" + "\u0301".repeat(20_000),
            "\uD83D\uDE00".repeat(5_000) + "\uD83D");

    /** What people write. */
    static Stream<String> realistic() {
        return Stream.of(
                "Paris\\.?$",
                "(?i)\\bparis\\b",
                "^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})$",
                "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}",
                "(?:[a-z]{1,63}\\.){1,127}",
                "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}",
                "\\b[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\\b",
                "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})?)?$",
                "^P(?!$)(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?$",
                "^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d).{8,}$",
                "(?<year>\\d{4})-(?<month>\\d\\d)-\\k<month>",
                "(['\"])(?:(?!\\1).)*\\1",
                "(?s)```(?:json)?\\s*(\\{.*?\\})\\s*```",
                "^\\s*(?:yes|no|maybe)\\s*[.!]?\\s*$",
                "(?x) (\\d+) # digits\r\n \\s* [a-z]+ # a word\n",
                "[\\p{L}&&[^\\p{Lu}]]+",
                "[a-z&&[^aeiou]]{2,}",
                "\\Q1+1=2\\E.*",
                "(?m)^a$",
                "^(\\(\\d{3}\\)|\\d{3})[-. ]?\\d{3}[-. ]?\\d{4}$",
                "(?:https?|ftp)://[^\\s/$.?#].[^\\s]*",
                "^#?([a-f0-9]{6}|[a-f0-9]{3})$",
                "\\$\\s?\\d{1,3}(?:,\\d{3})*(?:\\.\\d{2})?",
                "(?<![\\w.])-?\\d+(?:\\.\\d+)?(?![\\w.])",
                "^(?:(?:a)?(?:b)?(?:c)?)*$",
                "(?:\\s*[,;]\\s*)+",
                "<([a-z]+)(?: [^>]*)?>.*?</\\1>",
                "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\."
                    + "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
                "[]a]+",
                "[^]]+",
                "[a-]+|[-a]|[\\d-z]|[&]|[a&b]",
                "\\x{1F600}|\\uD83D\\uDE00|\\N{LATIN SMALL LETTER A}|\\cA|\\012|\\p{IsLatin}|\\pL",
                "a++b*+c?+(?>d|e)",
                "(?i:a)(?-i)b(?s-m:.)",
                "\\R\\X\\b{g}\\h\\v",
                ".{1,1000}",
                "}]",
                "");
    }

    /** Patterns that backtrack: they read, and so they are counted. */
    static Stream<String> hostile() {
        return Stream.of(
                "(((a*)*)*)*b",
                "(a+)+$",
                "(a|a)*$",
                "(a|aa)+$",
                "(.*a){25}b",
                "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)\\d$",
                "^(([a-z])+.)+[A-Z]([a-z])+$",
                "(\\w+\\s?)+$",
                "(?=(.*)*b)(.*)*c",
                "(?!(a*)*b)(a*)*b",
                "\\X*\\X*\\X*b");
    }

    @ParameterizedTest
    @MethodSource("realistic")
    void shouldAcceptAPatternWhenPeopleWriteIt(String pattern) {
        GuardedPattern guarded = GuardedPattern.compile(pattern);
        for (String text : List.of("", "Paris.\n", "2026-01-02", "a.b.c. x@y.org 127.0.0.1", "```json\n{}\n```")) {
            assertThat(guarded.find(text))
                    .isEqualTo(Pattern.compile(pattern).matcher(text).find());
        }
    }

    @Test
    void shouldAcceptAndDecideWhenAThousandWordsAreAlternatives() {
        String words = IntStream.range(0, 1_000).mapToObj(i -> "word" + i).collect(Collectors.joining("|"));
        GuardedPattern pattern = GuardedPattern.compile("\\b(?:" + words + ")\\b");

        assertThat(pattern.find("text without any of them ".repeat(100) + "word999"))
                .isTrue();
        assertThat(pattern.find("text without any of them ".repeat(100))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        'Paris\\.?$',   'Paris.\\n',  true
        'Paris\\.?\\z', 'Paris.\\n',  false
        (?i)é,          É,            false
        (?iu)é,         É,            true
        (?m)a$,         'a\\r\\nb',   true
        (?md)a$,        'a\\r\\nb',   false
        a.b,            'a\\205b',  false
        \\w,            é,            false
        (?U)\\w,        é,            true
        """)
    void shouldKeepTheMeaningOfJavaWhenEnginesDiffer(String pattern, String text, boolean found) {
        assertThat(GuardedPattern.compile(pattern).find(text.translateEscapes()))
                .isEqualTo(found);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void shouldEndSoonWhenAPatternIsHostile(String pattern) {
        within(LONGEST.multipliedBy(TEXTS.size()), () -> {
            for (String text : TEXTS) {
                assertThat(CpuTime.of(() -> search(pattern, text))).as(pattern).isLessThan(LONGEST);
            }
        });
    }

    @Test
    void shouldRefuseWithTheReasonWhenItIsNoPattern() {
        refused("a".repeat(10_001), "More than 10000 characters");
        refused("(a", "Unclosed group");
        assertThat(GuardedPattern.problem("[")).isEqualTo("Unclosed character class at position 0");
        assertThat(GuardedPattern.problem("((?:){2000000000}){2000000000}")).isNull();
    }

    private static void refused(String pattern, String reason) {
        assertThatExceptionOfType(PatternSyntaxException.class)
                .isThrownBy(() -> GuardedPattern.compile(pattern))
                .satisfies(e -> assertThat(e.getDescription()).isEqualTo(reason));
    }

    /** False when the pattern is refused. */
    private static boolean search(String pattern, String text) {
        try {
            GuardedPattern.compile(pattern).find(text);
        } catch (GuardedPattern.TooLongException _) {
            return true;
        } catch (PatternSyntaxException _) {
            return false;
        }
        return true;
    }

    /** On a thread that can be left: a search that does not end must not hold the tests up. */
    private static void within(Duration limit, Runnable search) {
        CpuTime.within(limit, () -> {
            search.run();
            return true;
        });
    }
}
