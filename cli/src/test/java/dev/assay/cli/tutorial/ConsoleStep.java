package dev.assay.cli.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command of a {@code console} block, and the output that the page shows. In the output {@code …} stands for any text, and
 * alone on a line for any lines.
 *
 * @param place the page and the line of the command
 */
record ConsoleStep(String place, String command, List<String> output) {

    private static final String FENCE = "```";
    private static final String PROMPT = "$ ";
    private static final String ANYTHING = "…";

    /** The commands of all {@code console} blocks of a page, in order. */
    static List<ConsoleStep> of(Path page) throws IOException {
        List<ConsoleStep> steps = new ArrayList<>();
        boolean inside = false;
        int number = 0;
        for (String line : Files.readAllLines(page)) {
            number++;
            if (line.startsWith(FENCE)) {
                inside = line.equals(FENCE + "console");
            } else if (inside && line.startsWith(PROMPT)) {
                steps.add(new ConsoleStep(
                        page.getFileName() + ":" + number, line.substring(PROMPT.length()), new ArrayList<>()));
            } else if (inside) {
                steps.getLast().output().add(line);
            }
        }
        return steps;
    }

    /** What the page shows, as one text. */
    String shown() {
        return String.join("\n", output).strip();
    }

    /** The texts that are like {@code shown}. */
    static Pattern like(String shown) {
        return Pattern.compile(shown.lines()
                .map(line -> line.equals(ANYTHING) ? "(?:.*(?:\n|$))*?" : literally(line) + "(?:\n|$)")
                .collect(Collectors.joining()));
    }

    private static String literally(String line) {
        return Stream.of(line.split(ANYTHING, -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    }
}
