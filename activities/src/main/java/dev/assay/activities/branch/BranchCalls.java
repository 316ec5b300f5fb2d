package dev.assay.activities.branch;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentLoops;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.PaidCall;
import dev.assay.activities.call.ReusedAnswers;
import dev.assay.activities.call.RunnableKinds;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.check.BoundedChecks;
import dev.assay.activities.code.CodePlacing;
import dev.assay.activities.code.CodeProcesses;
import dev.assay.activities.evaluator.EvaluatorBook;
import dev.assay.activities.stop.StopLooks;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.suite.Case;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.turn.TurnRepository;
import dev.assay.work.compute.Computing;
import jakarta.inject.Singleton;
import java.util.Collection;
import org.slf4j.MDC;

/** The factory of the calls of branches, with their dependencies. */
@Singleton
class BranchCalls {

    final RunJournal journal;
    final WorkerIdentity worker;
    final TurnRepository turns;
    final RunnableKinds kinds;
    final AgentLoops loops;
    final HypothesisRepository hypotheses;
    final BoundedChecks checks;
    final StopLooks stops;
    final Computing computing;
    final CodeProcesses processes;
    final CodePlacing placing;
    final EvaluatorBook evaluators;
    final ReusedAnswers reused;

    BranchCalls(
            RunJournal journal,
            WorkerIdentity worker,
            TurnRepository turns,
            RunnableKinds kinds,
            AgentLoops loops,
            HypothesisRepository hypotheses,
            Computing computing,
            StopLooks stops,
            CodeProcesses processes,
            CodePlacing placing,
            EvaluatorBook evaluators,
            ReusedAnswers reused) {
        this.reused = reused;
        this.evaluators = evaluators;
        this.placing = placing;
        this.processes = processes;
        this.journal = journal;
        this.worker = worker;
        this.turns = turns;
        this.kinds = kinds;
        this.loops = loops;
        this.hypotheses = hypotheses;
        this.checks = new BoundedChecks(computing);
        this.stops = stops;
        this.computing = computing;
    }

    /** Whether no cell of {@code cases} may begin now: one needs a compute process, and none starts. */
    boolean mustWait(Branch branch, Collection<Case> cases) {
        return computing.isDown() && cases.stream().anyMatch(suiteCase -> ComputeNeed.of(branch, suiteCase));
    }

    /** Called by the cell's own thread, which from now on names case and branch in what it logs. */
    PaidCall of(CellAttempt attempt, Case suiteCase, AgentEvents listener) {
        MDC.put("case", suiteCase.id());
        MDC.put(
                "branch",
                attempt.campaign().definition().branches().get(attempt.slot()).id());
        return new BranchCall(this, attempt, suiteCase, listener);
    }
}
