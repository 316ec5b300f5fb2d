package dev.assay.activities.judging;

/**
 * The heartbeat of an activity in which models read answers; people see it in Temporal.
 *
 * @param of what is counted, such as {@code judge calls}
 * @param total those that this attempt has begun, at least {@code done}
 */
public record CallCount(String of, int done, int total) {}
