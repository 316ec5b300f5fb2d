package dev.assay.web.label;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.LabelCsv;
import dev.assay.domain.label.LabelFile;
import dev.assay.domain.label.LabelRules;
import dev.assay.store.label.LabelImports;
import dev.assay.store.label.LabelWriter;
import dev.assay.web.Flag;
import dev.assay.web.access.Requester;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files of labels that requests bring, and stores them. */
@Singleton
final class LabelReading {

    /** Values of a line that are kept. */
    private static final long NODES_A_LINE = 6;

    private final RequestReader reader;
    private final LabelImports imports;
    private final Requester requester;

    LabelReading(RequestReader reader, LabelImports imports, Requester requester) {
        this.reader = reader;
        this.imports = imports;
        this.requester = requester;
    }

    /**
     * Stores the labels of a file.
     *
     * @param campaignId the campaign of lines that name none; null: each names one
     * @param labeller the person of lines that name none; null: who sends the request
     * @throws AssayException MALFORMED_INPUT, or INVALID_INPUT with line and column of all that is wrong
     */
    ImportedLabels store(
            HttpRequest<?> request,
            @Nullable String campaignId,
            @Nullable String labeller,
            @Nullable String dryRun,
            byte[] body) {
        boolean isDry = Boolean.TRUE.equals(Flag.of("dryRun", dryRun));
        String person = labeller(request, labeller);
        return BodyPlace.whileReading(request, () -> {
            LabelFile file = reader.read("Reading the file", () -> read(request, body));
            LabelWriter.Stored stored =
                    imports.store(file, new LabelImports.Request(campaignId, person, isDry, Instant.now()));
            List<String> notes = file.ignored().isEmpty()
                    ? List.of()
                    : List.of("Columns without a meaning for labels: " + String.join(", ", file.ignored()));
            return new ImportedLabels(
                    file.lines().size(),
                    stored.stored(),
                    file.lines().size() - stored.stored(),
                    stored.superseded(),
                    file.open(),
                    0,
                    notes);
        });
    }

    /** The person that a request names, else who sends it. */
    String labeller(HttpRequest<?> request, @Nullable String named) {
        String person = named == null ? requester.name(request) : named;
        String wrong = LabelRules.nameProblem(person);
        if (wrong != null) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError("labeller", "`labeller` " + wrong + ".")));
        }
        return person;
    }

    private static LabelFile read(HttpRequest<?> request, byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return LabelCsv.read(text, lines -> BodyPlace.takeNodes(request, lines * NODES_A_LINE));
        } catch (CharacterCodingException e) {
            throw new AssayException(ErrorCode.MALFORMED_INPUT, "The file is not UTF-8", e);
        }
    }
}
