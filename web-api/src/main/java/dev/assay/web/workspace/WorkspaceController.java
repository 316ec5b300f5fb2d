package dev.assay.web.workspace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.command.CommandKind;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.store.workspace.UploadEnd;
import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.web.connection.BodyPlace;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Stores workspaces, each under the SHA-256 of its archive. */
@Controller("/api/v1/workspaces/{hash}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "campaigns")
final class WorkspaceController {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Of 8 MiB: 200 MB and what the archive needs for names. */
    private static final int MAX_PIECES = 32;

    private static final Duration BUSY = Duration.ofMinutes(1);

    private final WorkspaceRepository workspaces;
    private final ArchiveChecks checks;
    private final RequestReader reader;

    WorkspaceController(WorkspaceRepository workspaces, ArchiveChecks checks, RequestReader reader) {
        this.workspaces = workspaces;
        this.checks = checks;
        this.reader = reader;
    }

    /**
     * Says whether a workspace is stored.
     *
     * @param hash SHA-256 of its archive, 64 hexadecimal digits
     * @return the workspace
     */
    @Get
    @Operation(
            summary = "Check whether a workspace is stored",
            operationId = "getWorkspace",
            description = "A stored workspace stays for an hour, and as long as a campaign names it.")
    WorkspaceView get(String hash) {
        check(hash);
        return view(hash, workspaces.touch(hash));
    }

    /**
     * Stores a piece of a workspace.
     *
     * @param hash SHA-256 of the whole archive
     * @param piece place of the piece, 0 to 31
     * @param body at most 8 MiB of the archive
     * @return the workspace
     */
    @Put(value = "/{piece}", consumes = MediaType.APPLICATION_OCTET_STREAM)
    @Operation(
            summary = "Upload a piece of a workspace",
            operationId = "putWorkspacePiece",
            description = "The archive is a tar stream, cut into pieces of at most 8 MiB.")
    WorkspaceView put(HttpRequest<?> request, String hash, int piece, @Body byte[] body) {
        check(hash);
        if (piece < 0 || piece >= MAX_PIECES) {
            throw invalid("piece", "A workspace has the pieces 0 to " + (MAX_PIECES - 1) + "; make it smaller.");
        }
        return BodyPlace.whileReading(request, () -> {
            if (!workspaces.store(hash, piece, body)) {
                throw AssayException.busy(
                        "64 uploads of workspaces, or 2 GiB of them, are not complete: send the piece again in a"
                                + " minute",
                        BUSY);
            }
            return view(hash, false);
        });
    }

    /**
     * Completes a workspace.
     *
     * @param hash SHA-256 of the whole archive
     * @param body how many pieces it has
     * @return the workspace
     */
    @Put(consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Complete the upload of a workspace",
            operationId = "putWorkspace",
            description = "Takes {pieces}. Refused unless the pieces make up the content that the hash names, and the"
                    + " archive holds files, directories and links within it only. Nothing of a refused archive"
                    + " stays stored.")
    WorkspaceView complete(HttpRequest<?> request, String hash, @Body byte[] body) {
        check(hash);
        JsonNode pieces = BodyPlace.whileReading(request, () -> reader.document(request, body))
                .path("pieces");
        if (!pieces.canConvertToInt() || pieces.intValue() < 1 || pieces.intValue() > MAX_PIECES) {
            throw invalid("pieces", "`pieces` must be a number from 1 to " + MAX_PIECES + ".");
        }
        return switch (checks.complete(hash, pieces.intValue())) {
            case UploadEnd.Complete _ -> view(hash, true);
            case UploadEnd.Different _ ->
                throw invalid(
                        "pieces", "The pieces do not make up the content that the hash names; upload them again.");
            case UploadEnd.Refused refused -> throw invalid("archive", refused.reason());
        };
    }

    private static WorkspaceView view(String hash, boolean stored) {
        return new WorkspaceView(CommandKind.WORKSPACE_PREFIX + hash, stored);
    }

    private static void check(String hash) {
        if (!HASH.matcher(hash).matches()) {
            throw invalid("hash", "The name of a workspace is 64 hexadecimal digits, the SHA-256 of its archive.");
        }
    }

    private static AssayException invalid(String field, String message) {
        return AssayException.invalid("The workspace cannot be stored", List.of(new FieldError(field, message)));
    }
}
