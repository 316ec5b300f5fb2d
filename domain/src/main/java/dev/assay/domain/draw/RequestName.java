package dev.assay.domain.draw;

/**
 * The request that an answer answers. With the trial it numbers the answers to one request, so that no two cells of a campaign share
 * one.
 *
 * @param key SHA-256, in hexadecimal, of all that decides the request; see {@link RequestIdentity}
 * @param rank the place of the cell among those of its trial with the same key, from 0, by case, then branch
 */
public record RequestName(String key, int rank) {}
