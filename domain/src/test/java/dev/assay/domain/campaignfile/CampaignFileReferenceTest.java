package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference of the campaign file says what the reader does. */
class CampaignFileReferenceTest {

    private static final Pattern EXAMPLE = Pattern.compile("```yaml\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern ROW =
            Pattern.compile("^\\| `(\\w+)` \\| [^|]+ \\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE);

    private static String reference() {
        try {
            return Files.readString(Path.of("..", "docs", "campaign-file.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> examples() {
        return EXAMPLE.matcher(reference()).results().map(result -> result.group(1));
    }

    @Test
    void shouldHaveExamplesWhenTheyAreExtracted() {
        assertThat(examples()).hasSizeGreaterThan(8);
    }

    /** An example without a name shows some top-level fields; the rest is taken from the smallest campaign. */
    @ParameterizedTest
    @MethodSource("examples")
    void shouldBeValidWhenAnExampleIsCopied(String example) {
        ObjectNode document = (ObjectNode) CampaignDocument.parse(example);
        if (!document.has("name")) {
            ObjectNode smallest = CampaignFile.minimal().document();
            if (document.has("suite")) {
                smallest.remove("cases");
            }
            document = smallest.setAll(document);
        }

        assertThat(PublishedSchema.CAMPAIGN.violations(document)).isEmpty();
        inlineCassettes(document);
        assertThat(CampaignFile.errors(document)).isEmpty();
    }

    /** As the command line does with paths. */
    private static void inlineCassettes(ObjectNode document) {
        for (JsonNode branch : document.get("branches")) {
            if (branch.path("cassette").isTextual()) {
                JsonNode entries = CampaignDocument.parse("[" + RecordedAnswers.ENTRY + "]");
                ((ObjectNode) branch).set("cassette", entries);
            }
        }
    }

    @Test
    void shouldListTheReadersFieldsWhenItsTablesAreRead() {
        Set<String> listed = ROW.matcher(reference())
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toSet());
        Set<String> read = CampaignReader.fields().stream()
                .flatMap(fields -> fields.names().stream())
                .collect(Collectors.toSet());

        assertThat(listed).isEqualTo(read);
    }
}
