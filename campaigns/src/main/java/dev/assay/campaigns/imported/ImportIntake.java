package dev.assay.campaigns.imported;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ResultLineReader;
import dev.assay.store.imported.ImportRepository;
import dev.assay.store.imported.ImportUpload;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes in results of other tools, piece by piece. Each piece is read when it arrives, so that what is wrong is said at once. */
@Singleton
public class ImportIntake {

    private static final Duration BUSY = Duration.ofMinutes(1);
    private static final int PIECES = 20;
    private static final int ID_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ImportRepository imports;

    ImportIntake(ImportRepository imports) {
        this.imports = imports;
    }

    /**
     * The campaign of the same files, imported before with the same options; empty: there is none.
     *
     * @throws AssayException INVALID_INPUT with everything that is wrong with the header
     */
    @Transactional
    public Optional<String> known(JsonNode header) {
        return imports.known(ImportHeader.read(header).key());
    }

    /**
     * Begins an import.
     *
     * @param header that was found right
     * @return its id
     * @throws AssayException SERVER_BUSY when too many arrive
     */
    @Transactional
    public String begin(JsonNode header, @Nullable String createdBy) {
        byte[] id = new byte[ID_BYTES];
        RANDOM.nextBytes(id);
        // A server that ends with its command has no background that does so.
        int removed;
        do {
            removed = imports.removeStale(PIECES);
        } while (removed > 0);
        String importId = "i" + HexFormat.of().formatHex(id);
        if (!imports.begin(importId, Json.write(header), createdBy)) {
            throw AssayException.busy("Too many imports arrive: begin again in a minute", BUSY);
        }
        return importId;
    }

    /**
     * Keeps a piece of the results.
     *
     * @param sequence its number, from 0; each in turn, and again where the answer was lost
     * @throws AssayException NOT_FOUND; CONFLICT when another one is next, or the import is finished; INVALID_INPUT with everything that
     *     is wrong with its lines
     */
    @Transactional
    public void add(String importId, int sequence, byte[] content) {
        if (sequence < 0) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError("sequence", "`sequence` counts the pieces from 0.")));
        }
        ImportUpload upload = required(importId);
        if (upload.campaignId() != null) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Import " + importId + " is finished as campaign " + upload.campaignId() + ": begin a new one");
        }
        ImportHeader header = ImportHeader.read(Json.tree(upload.header()));
        ResultLineReader reader = new ResultLineReader(header.origin());
        ResultLines.read(content, ResultLines.Which.ALL, (line, path, problems) -> {
            var _ = reader.read(line, path, problems);
        });
        imports.add(upload, sequence, content);
    }

    /** Gives an import up that is not finished; nothing where there is none. */
    public void remove(String importId) {
        imports.remove(importId);
    }

    ImportUpload required(String importId) {
        return imports.use(importId)
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NOT_FOUND,
                        "There is no import " + importId + ": it was given up, or had no request for an hour"));
    }
}
