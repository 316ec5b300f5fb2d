package dev.assay.domain.judge;

/**
 * The conversation that the responses answer, as a judge reads it.
 *
 * @param priorContext the conversation before the query as text; empty when there is none
 * @param query what the responses answer; empty when no user message has a text
 */
public record Conversation(String priorContext, String query) {}
