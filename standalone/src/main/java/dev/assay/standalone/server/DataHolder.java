package dev.assay.standalone.server;

import java.time.Instant;

/**
 * The process that holds a data directory.
 *
 * @param command what the user typed, as in {@code assay up}
 * @param shared whether other commands may join its server
 */
public record DataHolder(String command, long pid, Instant since, boolean shared) {}
