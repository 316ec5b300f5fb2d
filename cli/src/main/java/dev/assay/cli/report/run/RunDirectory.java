package dev.assay.cli.report.run;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.RunLayout;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The directory of one run, named after the time at which it began (docs/fastskill.md). It names its campaign from the beginning. */
final class RunDirectory {

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

    private static final String CAMPAIGN_ID = "campaign_id";

    private RunDirectory() {}

    /** The directory of a campaign below {@code output}: the one that names it, else a new one. */
    static Path of(String campaignId, Path output, Instant begin) throws IOException {
        Files.createDirectories(output);
        Optional<Path> there = find(campaignId, output, NAME.format(begin));
        return there.isPresent() ? there.get() : make(campaignId, output, begin);
    }

    /** Makes a directory below {@code output}; a number follows its name where that name is taken. */
    static Path make(String campaignId, Path output, Instant begin) throws IOException {
        String name = NAME.format(begin);
        for (int n = 1; ; n++) {
            try {
                Path made = Files.createDirectory(output.resolve(n == 1 ? name : name + "-" + n));
                String json = Json.write(Json.mapper().createObjectNode().put(CAMPAIGN_ID, campaignId)) + "\n";
                Files.writeString(made.resolve(RunLayout.CAMPAIGN), json);
                return made;
            } catch (FileAlreadyExistsException taken) {
                // By an earlier run, or one that begins at the same time.
            }
        }
    }

    private static Optional<Path> find(String campaignId, Path output, String name) throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(output, name + "*")) {
            List<Path> named =
                    StreamSupport.stream(runs.spliterator(), false).sorted().toList();
            for (Path run : named) {
                if (Stream.of(RunLayout.CAMPAIGN, RunLayout.SUMMARY)
                        .anyMatch(file -> names(run.resolve(file), campaignId))) {
                    return Optional.of(run);
                }
            }
            return Optional.empty();
        }
    }

    /** Whether a file names the campaign first: a summary may be large. One that is missing or no JSON names none. */
    private static boolean names(Path file, String campaignId) {
        try (JsonParser json = Json.mapper().createParser(file.toFile())) {
            return json.nextToken() == JsonToken.START_OBJECT
                    && CAMPAIGN_ID.equals(json.nextFieldName())
                    && campaignId.equals(json.nextTextValue());
        } catch (IOException e) {
            return false;
        }
    }
}
