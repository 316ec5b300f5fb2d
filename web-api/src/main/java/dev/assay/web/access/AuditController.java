package dev.assay.web.access;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.access.AuditFilter;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.access.AuditRow;
import dev.assay.store.page.Page;
import dev.assay.web.Flag;
import dev.assay.web.Moment;
import dev.assay.web.PageSize;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The audit log, for administrators. */
@Controller("/api/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "audit")
final class AuditController {

    private static final int USUAL = 100;

    /** In the order of the documentation. */
    private static final List<String> PARAMETERS =
            List.of("who", "object", "from", "to", "refused", "pageToken", "pageSize");

    private final AuditRepository audit;

    AuditController(AuditRepository audit) {
        this.audit = audit;
    }

    /**
     * Lists changes and refusals.
     *
     * @param who only of this author
     * @param object only about this id
     * @param from not before this time
     * @param to before this time
     * @param refused only what was refused, or only what was not
     * @param pageToken nextPageToken of the page before; leave it out to start
     * @param pageSize how many, 1 to 1,000; 100 when it is left out
     * @return a page of them, the newest first
     * @throws AssayException INVALID_INPUT when a parameter is unknown or not valid
     */
    @Get
    @Operation(
            summary = "List changes and refused requests with their author, time and origin, newest first",
            operationId = "listAudit",
            description = "Filters narrow the list; nextPageToken asks for the rows that follow, null means there are"
                    + " none. Many refusals of one address are one row, and repeated counts the others.")
    Page<AuditRow> list(
            HttpRequest<?> request,
            @Nullable @QueryValue String who,
            @Nullable @QueryValue String object,
            @Nullable @QueryValue @Schema(format = "date-time") String from,
            @Nullable @QueryValue @Schema(format = "date-time") String to,
            @Nullable @QueryValue @Schema(type = "boolean") String refused,
            @Nullable @QueryValue String pageToken,
            @Nullable @QueryValue @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        checkNames(request.getParameters());
        AuditFilter filter =
                new AuditFilter(who, object, Moment.of("from", from), Moment.of("to", to), Flag.of("refused", refused));
        return audit.page(filter, pageToken, PageSize.of(pageSize, USUAL));
    }

    /** A misspelled filter would answer with rows that nobody asked for. */
    private static void checkNames(HttpParameters parameters) {
        for (String name : parameters.names()) {
            if (!PARAMETERS.contains(name)) {
                throw invalid(Excerpt.of(name), "Is no filter of the audit: use " + String.join(", ", PARAMETERS));
            }
            if (parameters.getAll(name).size() > 1) {
                throw invalid(name, "Give it once");
            }
        }
    }

    private static AssayException invalid(String path, String message) {
        return AssayException.invalid(
                "A parameter of the request is not valid", List.of(new FieldError(path, message)));
    }
}
