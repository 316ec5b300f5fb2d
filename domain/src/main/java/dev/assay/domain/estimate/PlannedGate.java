package dev.assay.domain.estimate;

/**
 * The gate's verdicts at an assumed true rate. The names are those of its JSON.
 *
 * @param rate the true pass rate of trials of every gated branch, 0–1
 * @param passes how probable the gate passes, 0–1
 * @param sameTwice how probable two runs get the same verdict, 0.5–1
 */
public record PlannedGate(double rate, double passes, double sameTwice) {}
