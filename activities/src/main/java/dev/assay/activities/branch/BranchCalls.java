package dev.assay.activities.branch;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentRunners;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.PaidCall;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.check.BoundedChecks;
import dev.assay.activities.compute.Computing;
import dev.assay.domain.suite.Case;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.turn.TurnRepository;
import jakarta.inject.Singleton;

/** Makes the calls of branches, and holds what they work with. */
@Singleton
class BranchCalls {

    final RunJournal journal;
    final WorkerIdentity worker;
    final TurnRepository turns;
    final AgentRunners runners;
    final HypothesisRepository hypotheses;
    final BoundedChecks checks;

    BranchCalls(
            RunJournal journal,
            WorkerIdentity worker,
            TurnRepository turns,
            AgentRunners runners,
            HypothesisRepository hypotheses,
            Computing computing) {
        this.journal = journal;
        this.worker = worker;
        this.turns = turns;
        this.runners = runners;
        this.hypotheses = hypotheses;
        this.checks = new BoundedChecks(computing);
    }

    PaidCall of(CellAttempt attempt, Case suiteCase, AgentEvents listener) {
        return new BranchCall(this, attempt, suiteCase, listener);
    }
}
