package dev.assay.store.access;

/**
 * The author of a change.
 *
 * @param who a token's name, or who runs a command
 * @param from an address, or what was started
 */
public record Actor(String who, String from) {}
