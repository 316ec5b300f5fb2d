package dev.assay.domain.comparison;

/**
 * One of the two that are compared. The names are those of its JSON.
 *
 * @param redrawn its trials that were asked again after a result: their first draws count
 * @param wholeReruns re-runs of the campaign that asked every cell of a branch again
 */
public record ComparedBranch(
        String campaign,
        String branch,
        String name,
        String suite,
        int cases,
        int trials,
        int redrawn,
        int wholeReruns) {}
