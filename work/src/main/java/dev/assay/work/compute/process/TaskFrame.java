package dev.assay.work.compute.process;

import java.util.List;
import java.util.Map;

/**
 * A frame to a compute process: one task.
 *
 * @param number of the task in this process, from 1
 * @param definitions the hashes of its definitions, in order
 * @param sent the texts of those that the process does not keep, by their hash
 * @param singly whether each answer is sent at once, so that the parent surely knows which definition runs; else several together
 */
public record TaskFrame(
        long number, String kind, List<String> definitions, Map<String, String> sent, Object input, boolean singly) {}
