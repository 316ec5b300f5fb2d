package dev.assay.activities.agent;

/**
 * Which loop it is (semantics A5).
 *
 * @param sessionId shared by all branches of a trial and its judge
 * @param loopId {@code {session}.{segment}.{N}}
 */
public record LoopName(String sessionId, String loopId) {}
