package dev.assay.web.access;

import dev.assay.domain.error.AssayException;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.access.AuditRow;
import dev.assay.store.page.Page;
import dev.assay.web.PageSize;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The audit log, for administrators. */
@Controller("/api/v1/audit")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "audit")
final class AuditController {

    private static final int USUAL = 100;

    private final AuditRepository audit;

    AuditController(AuditRepository audit) {
        this.audit = audit;
    }

    /**
     * Lists the latest changes.
     *
     * @param pageSize how many, 1 to 1,000; 100 when it is left out
     * @return the changes, the newest first
     * @throws AssayException INVALID_INPUT when the page size is none
     */
    @Get
    @Operation(summary = "List changes with their author, time and origin, newest first", operationId = "listAudit")
    Page<AuditRow> list(@Nullable @QueryValue @Schema(minimum = "1", maximum = "1000") Integer pageSize) {
        return new Page<>(audit.latest(PageSize.of(pageSize, USUAL)), null);
    }
}
