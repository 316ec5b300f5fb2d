package dev.assay.domain.results;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.ImportedDefinition;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.results.Aggregate.Of;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is said of results before they are sent.
 *
 * @param key the same for the same files with the same options; null: there are no files, so nothing says whether results are the same
 * @param aggregates the tool's own numbers
 */
public record ImportHeader(
        ImportOrigin origin,
        CampaignDefinition definition,
        @Nullable String description,
        @Nullable String key,
        List<Aggregate> aggregates) {

    private static final String WHAT = "import";

    private static final Fields FIELDS = Fields.of(
            "import",
            "tool",
            "toolVersion",
            "name",
            "description",
            "branches",
            "trials",
            "gate",
            "files",
            "options",
            "aggregates",
            "createdAt");

    private static final Fields FILE = Fields.of("importedFile", "name", "sha256", "size");
    private static final Fields AGGREGATE = Fields.of("aggregate", "metric", "branch", "theirs", "of", "check", "tag");
    private static final NumberRule SIZE = NumberRule.whole(0, Long.MAX_VALUE);
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
    private static final int LONGEST = 256;
    private static final int MOST_FILES = 1_000;
    private static final int MOST_AGGREGATES = 1_000;

    private static final Map<String, Of> OF = words();

    public ImportHeader {
        aggregates = List.copyOf(aggregates);
    }

    private static Map<String, Of> words() {
        Map<String, Of> words = new LinkedHashMap<>();
        Arrays.stream(Of.values()).forEach(of -> words.put(of.name().toLowerCase(Locale.ROOT), of));
        return words;
    }

    /**
     * Reads a header.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static ImportHeader read(JsonNode document) {
        Problems problems = new Problems();
        if (!DocumentLimits.isShallow(document, "", problems)) {
            problems.throwIfAny(WHAT);
        }
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        String tool = fields.line("tool", 128);
        CampaignDefinition definition = ImportedDefinition.read(document, tool, problems);
        List<ImportedFile> files = fields.list("files", ImportHeader::file);
        List<Aggregate> aggregates = fields.list("aggregates", ImportHeader::aggregate);
        checkSizes(fields, files, aggregates);
        ImportOrigin origin = new ImportOrigin(
                tool,
                fields.hasValue("toolVersion") ? fields.line("toolVersion", LONGEST) : null,
                files,
                instant(fields),
                true);
        DocumentLimits.check(document, "", problems);
        problems.throwIfAny(WHAT);
        return new ImportHeader(
                origin, definition, fields.nullableText("description"), key(document, files), aggregates);
    }

    private static void checkSizes(FieldReader fields, List<ImportedFile> files, List<Aggregate> aggregates) {
        if (files.size() > MOST_FILES) {
            fields.problem("files", "There are " + files.size() + " files; import at most " + MOST_FILES + " at once.");
        }
        if (aggregates.size() > MOST_AGGREGATES) {
            fields.problem(
                    "aggregates",
                    "There are " + aggregates.size() + " aggregates; send at most " + MOST_AGGREGATES + ".");
        }
    }

    private static ImportedFile file(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FILE, problems);
        String hash = fields.text("sha256");
        if (!fields.isWrong("sha256") && !SHA_256.matcher(hash).matches()) {
            fields.problem("sha256", "`sha256` must be 64 hexadecimal digits in lower case.");
        }
        return new ImportedFile(fields.line("name", 1024), hash, fields.longInteger("size", SIZE, 0));
    }

    private static Aggregate aggregate(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, AGGREGATE, problems);
        JsonNode theirs = fields.node("theirs");
        if (theirs != null && !theirs.isNumber() && !theirs.isNull()) {
            fields.problem("theirs", "`theirs` must be a number or null.");
        }
        return new Aggregate(
                fields.line("metric", 512),
                fields.text("branch"),
                theirs == null || !theirs.isNumber() ? null : (Double) theirs.doubleValue(),
                fields.word("of", OF, Of.OTHER),
                fields.nullableText("check"),
                fields.nullableText("tag"));
    }

    private static @Nullable Instant instant(FieldReader fields) {
        String text = fields.nullableText("createdAt");
        try {
            return text == null || fields.isWrong("createdAt")
                    ? null
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            fields.problem("createdAt", "`createdAt` must be a time such as 2026-11-27T08:00:00Z.");
            return null;
        }
    }

    private static @Nullable String key(JsonNode document, List<ImportedFile> files) {
        if (files.isEmpty()) {
            return null;
        }
        StringBuilder all = new StringBuilder(document.path("tool").asText());
        files.stream()
                .map(ImportedFile::sha256)
                .sorted()
                .forEach(hash -> all.append(' ').append(hash));
        for (String field : List.of("options", "gate", "name")) {
            JsonNode value = document.path(field);
            all.append('\n').append(value.isMissingNode() ? "" : RequestKey.canonical(value));
        }
        return RequestKey.sha256(all.toString());
    }

    /** The id that a branch has, by its place; the place is in the order of the header. */
    public Map<String, Integer> branchPlaces() {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int i = 0; i < definition.branches().size(); i++) {
            places.put(definition.branches().get(i).id(), i);
        }
        return places;
    }
}
