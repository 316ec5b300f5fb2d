package dev.assay.workflows.slice;

import dev.assay.domain.plan.OrdinalRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The open trials of a slice, each with the time from which it may be tried. It returns trials in ascending order, so that
 * neighbours share a range. It has no clock: callers pass the time.
 */
final class TrialQueue {

    /** Trials that may be tried now: first number to one past the last; the ranges neither overlap nor touch. */
    private final TreeMap<Integer, Integer> ready = new TreeMap<>();

    /** Trials that must wait, by the time from which they may be tried. */
    private final TreeMap<Long, TreeSet<Integer>> waiting = new TreeMap<>();

    private int readyTrials;

    /** Holds {@code trials}, all of which may be tried at once. */
    TrialQueue(Collection<OrdinalRange> trials) {
        trials.forEach(range -> addReady(range.from(), range.to()));
    }

    boolean isEmpty() {
        return readyTrials == 0 && waiting.isEmpty();
    }

    /** The number of trials that may be tried at {@code nowMs}. */
    int due(long nowMs) {
        promote(nowMs);
        return readyTrials;
    }

    /** Takes the first {@code most} trials that may be tried at {@code nowMs}, as ascending ranges that do not touch. */
    List<OrdinalRange> take(int most, long nowMs) {
        promote(nowMs);
        List<OrdinalRange> taken = new ArrayList<>();
        int left = most;
        while (left > 0 && readyTrials > 0) {
            Map.Entry<Integer, Integer> first = ready.pollFirstEntry();
            int end = Math.min(first.getValue(), first.getKey() + left);
            if (end < first.getValue()) {
                ready.put(end, first.getValue());
            }
            taken.add(new OrdinalRange(first.getKey(), end));
            left -= end - first.getKey();
            readyTrials -= end - first.getKey();
        }
        return taken;
    }

    /** Puts {@code trial} back, not to be tried before {@code dueMs}. */
    void handBack(int trial, long dueMs) {
        waiting.computeIfAbsent(dueMs, time -> new TreeSet<>()).add(trial);
    }

    /** The earliest time from which a trial may be tried that must wait at present; empty when none waits. */
    OptionalLong nextDueMs() {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.firstKey());
    }

    private void promote(long nowMs) {
        while (!waiting.isEmpty() && waiting.firstKey() <= nowMs) {
            waiting.pollFirstEntry().getValue().forEach(trial -> addReady(trial, trial + 1));
        }
    }

    private void addReady(int from, int to) {
        Map.Entry<Integer, Integer> before = ready.floorEntry(from);
        Map.Entry<Integer, Integer> after = ready.ceilingEntry(from);
        if ((before != null && before.getValue() > from) || (after != null && after.getKey() < to)) {
            throw new IllegalArgumentException("Trials " + from + " to " + to + " are in the queue already");
        }
        int start = before != null && before.getValue() == from ? before.getKey() : from;
        int end = after != null && after.getKey() == to ? after.getValue() : to;
        ready.remove(to);
        ready.put(start, end);
        readyTrials += to - from;
    }
}
