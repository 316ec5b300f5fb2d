package dev.assay.store.access;

/**
 * A row of the audit for a refused request.
 *
 * @param id of the row; written again under it, a row stays one
 * @param request the one that the row shows
 * @param repeated how many more are counted into it, in all
 */
public record RefusalRow(long id, RefusedRequest request, long repeated) {}
