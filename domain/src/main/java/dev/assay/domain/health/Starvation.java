package dev.assay.domain.health;

/** What a campaign lacks of which nothing else says so: its cells are open, and no call begins. */
enum Starvation {
    /** Cells wait for permits, or for the row of their request, and no call has one. */
    PERMITS("permits", "cells wait for permits, which no call uses; see whether PostgreSQL is slow"),
    /** Workers cannot say to PostgreSQL that they live. */
    CONNECTIONS("connections", "no worker reaches PostgreSQL in time; see whether its connections are used up"),
    /** No worker has taken a cell of it. */
    WORKFLOW_TASKS(
            "workflow-tasks",
            "no worker has taken one of its cells; see how many campaigns wait before it in Temporal");

    private final String word;
    private final String sentence;

    Starvation(String word, String sentence) {
        this.word = word;
        this.sentence = sentence;
    }

    /** What the facts point to, where no call is in flight. */
    static Starvation of(HealthFacts facts) {
        if (facts.workers().areUnheard()) {
            return CONNECTIONS;
        }
        return facts.cells().waitingForPermit() > 0 ? PERMITS : WORKFLOW_TASKS;
    }

    /** For people, after a comma. */
    String text() {
        return "it lacks " + word + ": " + sentence;
    }
}
