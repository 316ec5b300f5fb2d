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
 */
public record ComparedBranch(String campaign, String branch, String name, String suite, int cases, int trials) {}
