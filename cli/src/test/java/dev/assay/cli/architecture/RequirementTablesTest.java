package dev.assay.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of pages that say which test holds a requirement: each line names one, and each name is that of a test. */
final class RequirementTablesTest {

    /** A table whose last column has this heading. */
    private static final Pattern HEADING =
            Pattern.compile("\\|[^\\n]*\\| held by \\|\\n\\|(?: *-+ *\\|)+\\n((?:\\|.*\\n)+)");

    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private static final Pattern TEST = Pattern.compile("(?<class>[A-Z]\\w*)#(?<method>\\w+)");

    private static Map<String, String> classes() throws IOException {
        Map<String, String> classes = new HashMap<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(RequirementTablesTest::filesIn)
                    .forEach(file -> classes.put(file.getFileName().toString().replace(".java", ""), read(file)));
        }
        return classes;
    }

    private static Stream<Path> filesIn(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of the page's tables, each with its cells. */
    private static List<List<String>> lines(String page) {
        return HEADING.matcher(page)
                .results()
                .flatMap(table -> table.group(1).lines())
                .map(line ->
                        Arrays.asList(line.strip().replaceAll("^\\||\\|$", "").split(" \\| ?")))
                .toList();
    }

    /** What is wrong with the last cell of a line; empty: it names tests, and nothing else. */
    private static String fault(String heldBy, Map<String, String> classes) {
        List<String> names = NAME.matcher(heldBy)
                .results()
                .map((MatchResult name) -> name.group(1))
                .toList();
        if (names.isEmpty()) {
            return "no test is named";
        }
        for (String name : names) {
            Matcher test = TEST.matcher(name);
            if (!test.matches()) {
                return name + " is not written as Class#method";
            }
            String source = classes.get(test.group("class"));
            if (source == null) {
                return "there is no class " + test.group("class");
            }
            if (!hasTest(source, test.group("method"))) {
                return test.group("class") + " has no test " + test.group("method");
            }
        }
        return "";
    }

    /** Whether one of JUnit's annotations stands before the method, with nothing but other annotations between. */
    private static boolean hasTest(String source, String method) {
        return Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b(?:(?!\\n"
                        + "    }\\n"
                        + ")[\\s\\S])*?(?:void|Stream<DynamicTest>) "
                        + method + "\\(")
                .matcher(source)
                .find();
    }

    @ParameterizedTest
    @CsvSource({"evaluations.md, 20", "hypotheses.md, 15", "fastskill.md, 20"})
    void shouldNameATestThatExistsForEachRequirement(String page, int atLeast) throws IOException {
        Map<String, String> classes = classes();
        List<List<String>> lines = lines(read(Path.of("../docs", page)));

        assertThat(lines).as("requirements of " + page).hasSizeGreaterThanOrEqualTo(atLeast);
        assertThat(lines)
                .allSatisfy(line -> assertThat(fault(line.getLast(), classes))
                        .as(line.getFirst())
                        .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "the code",
                "`RequirementTablesTest`",
                "`NoSuchTest#shouldNameATestThatExistsForEachRequirement`",
                "`RequirementTablesTest#shouldNot`",
                "`RequirementTablesTest#fault`",
                "`RequirementTablesTest#shouldSeeATestThatExists`, `RequirementTablesTest#lines`"
            })
    void shouldSeeThatNoTestHoldsARequirement(String heldBy) throws IOException {
        assertThat(fault(heldBy, classes())).isNotEmpty();
    }

    @Test
    void shouldSeeATestThatExists() throws IOException {
        assertThat(fault("`RequirementTablesTest#shouldSeeATestThatExists`", classes()))
                .isEmpty();
        assertThat(fault("`RequirementTablesTest#shouldNameATestThatExistsForEachRequirement` and vectors", classes()))
                .isEmpty();
    }
}
