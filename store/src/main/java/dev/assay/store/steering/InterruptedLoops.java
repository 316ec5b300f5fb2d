package dev.assay.store.steering;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.agent.AgentName;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.evaluation.EventWriter;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.OutcomeWriter;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.turn.TurnRepository;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Loops of a campaign that is cancelled while no worker runs them, because they wait for their next attempt. */
@JdbcRepository(dialect = Dialect.POSTGRES)
abstract class InterruptedLoops implements QueryRepository {

    private static final Failure CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The campaign was cancelled between two attempts of the cell.");

    private final Sql sql;
    private final TurnRepository turns;
    private final CaseRepository cases;

    InterruptedLoops(Sql sql, TurnRepository turns, CaseRepository cases) {
        this.sql = sql;
        this.turns = turns;
        this.cases = cases;
    }

    @Introspected
    record Waiting(int ordinal, int branchIndex, int attempts) {}

    // A live worker records what it holds itself.
    @Query("""
        SELECT DISTINCT t.ordinal, t.branch_index, c.attempts
        FROM turn t
        JOIN cell c ON c.campaign_id = t.campaign_id AND c.ordinal = t.ordinal AND c.kind = 'branch'
            AND c.member = t.branch_index
        WHERE t.campaign_id = :campaignId AND NOT c.is_final AND NOT EXISTS (
            SELECT 1 FROM worker w WHERE w.worker_id = c.claim_worker AND worker_is_live(w.lease_until))
        ORDER BY 1, 2
        """)
    abstract List<Waiting> betweenAttempts(String campaignId);

    /** Records their messages and usage as CANCELLED outcomes, since they were paid for. The caller holds the campaign's row. */
    void close(StoredCampaign campaign) {
        List<RecordOutcome> outcomes = betweenAttempts(campaign.id()).stream()
                .map(cell -> cancelled(campaign, cell))
                .toList();
        List<RecordOutcome> written = OutcomeWriter.write(sql, outcomes);
        if (campaign.isEvaluation() && !written.isEmpty()) {
            Instant now = sql.first("SELECT now()", row -> Columns.instant(row, "now"))
                    .orElseThrow();
            List<AgentEvent> ends = written.stream()
                    .flatMap(entry -> ends(campaign, entry.outcome(), now))
                    .toList();
            EventWriter.append(sql, Map.of(campaign.id(), ends));
        }
    }

    private static Stream<AgentEvent> ends(StoredCampaign campaign, Outcome outcome, Instant now) {
        String session = campaign.sessionId(outcome.ordinal());
        AgentName name = campaign.definition()
                .branches()
                .get(outcome.branchIndex())
                .agent()
                .name();
        return Stream.of(
                new AgentEvent.AgentStart(session, outcome.loopId(), name.provider(), name.model(), now),
                new AgentEvent.AgentEnd(
                        session,
                        outcome.loopId(),
                        outcome.status(),
                        outcome.answer().newMessages(),
                        outcome.usage(),
                        outcome.costUsd(),
                        outcome.failure(),
                        now));
    }

    private RecordOutcome cancelled(StoredCampaign campaign, Waiting cell) {
        int caseIndex = campaign.grid().caseIndex(cell.ordinal());
        Case suiteCase = requireNonNull(
                cases.find(campaign.suiteId(), List.of(caseIndex)).get(caseIndex));
        Branch branch = campaign.definition().branches().get(cell.branchIndex());
        CellKey key = new CellKey(campaign.id(), cell.ordinal(), CellKind.BRANCH, cell.branchIndex());
        LoopSoFar said = LoopSoFar.recorded(branch.ask(suiteCase).suiteCase().prompts(), turns.find(key));
        Outcome outcome = new Outcome(
                cell.ordinal(),
                cell.branchIndex(),
                campaign.loopId(cell.ordinal(), cell.branchIndex(), branch.segment())
                        .text(),
                new Outcome.End(OutcomeStatus.CANCELLED, CANCELLED, cell.attempts()),
                new Outcome.Answer(
                        said.newMessages(),
                        suiteCase.context().size(),
                        Transcript.response(said.newMessages()),
                        said.provenance().requestedOf(branch.agent())),
                said.measured(),
                List.of());
        int trial = campaign.grid().trial(cell.ordinal());
        // No worker counts it, since it is not final.
        return new RecordOutcome(campaign.id(), campaign.epoch(), "", caseIndex, trial, outcome, null, said.warnings());
    }
}
