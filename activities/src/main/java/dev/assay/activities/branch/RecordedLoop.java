package dev.assay.activities.branch;

import dev.assay.activities.agent.LoopRecord;
import dev.assay.activities.cell.RunningCell;
import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.message.Message;
import dev.assay.store.journal.JournalEntry.RecordTool;
import dev.assay.store.journal.JournalEntry.RecordTurn;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import java.util.List;

/** The record of the turns of one cell's loop in PostgreSQL. */
final class RecordedLoop implements LoopRecord {

    private final RunningCell cell;
    private final String workerId;
    private final RunJournal journal;
    private final List<RecordedTurn> turns;

    RecordedLoop(RunningCell cell, String workerId, RunJournal journal, List<RecordedTurn> turns) {
        this.cell = cell;
        this.workerId = workerId;
        this.journal = journal;
        this.turns = List.copyOf(turns);
    }

    @Override
    public List<RecordedTurn> turns() {
        return turns;
    }

    @Override
    public void turn(RecordedTurn turn) throws InterruptedException {
        requireHeld(journal.record(new RecordTurn(cell.claim(workerId), turn)));
    }

    @Override
    public void toolStarts(int turn, int call) throws InterruptedException {
        requireHeld(journal.record(new RecordTool(cell.claim(workerId), turn, call, null)));
    }

    @Override
    public void toolEnds(int turn, int call, Message result) throws InterruptedException {
        requireHeld(journal.record(new RecordTool(cell.claim(workerId), turn, call, result)));
    }

    private static void requireHeld(WriteResult answer) throws InterruptedException {
        if (answer == WriteResult.STALE) {
            throw new InterruptedException("The cell is another worker's now");
        }
    }
}
