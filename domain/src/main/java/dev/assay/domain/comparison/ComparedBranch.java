package dev.assay.domain.comparison;

/**
 * One of the two that are compared. The names are those of its JSON.
 *
 * @param campaign its id
 * @param branch its branch
 * @param name what the campaign is called
 * @param suite name of its suite
 * @param cases how many cases it has
 * @param trials of each case
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
