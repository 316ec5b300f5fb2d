package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One event of an agent's trace. In JSON it is one line, {@code {"seq": 0, "payload": {"type": …}}}.
 *
 * @param seq place in the trace, from 0
 * @param payload what happened; its {@code type} is message, tool_use, tool_result, token_usage_line, raw_json, raw_line,
 *     model_turn, error or timeout
 */
public record TraceEvent(int seq, ObjectNode payload) {}
