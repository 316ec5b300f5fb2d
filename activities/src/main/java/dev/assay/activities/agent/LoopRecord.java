package dev.assay.activities.agent;

import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.message.Message;
import java.util.List;

/**
 * The recorded part of an agent loop, from which a repeated attempt resumes. A turn without tool calls is
 * the last one: the outcome is its record.
 */
public interface LoopRecord {

    /** Nothing is recorded. */
    LoopRecord NONE = new LoopRecord() {
        @Override
        public List<RecordedTurn> turns() {
            return List.of();
        }

        @Override
        public void turn(RecordedTurn turn) {}

        @Override
        public void toolStarts(int turn, int call) {}

        @Override
        public void toolEnds(int turn, int call, Message result) {}
    };

    /** The turns that earlier attempts recorded, in order. */
    List<RecordedTurn> turns();

    /**
     * Records a turn that called tools, before they run.
     *
     * @throws InterruptedException when another worker has resumed the loop
     */
    void turn(RecordedTurn turn) throws InterruptedException;

    /**
     * Records that a call which must not run twice is about to run.
     *
     * @param turn from 1
     * @param call its place in the turn, from 0
     * @throws InterruptedException when another worker has resumed the loop
     */
    void toolStarts(int turn, int call) throws InterruptedException;

    /**
     * Records the result of a call.
     *
     * @throws InterruptedException when another worker has resumed the loop
     */
    void toolEnds(int turn, int call, Message result) throws InterruptedException;
}
