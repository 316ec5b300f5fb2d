package dev.assay.domain.message;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The speaker of a message in a conversation. */
public enum Role {
    @JsonProperty("user")
    USER,
    @JsonProperty("assistant")
    ASSISTANT,
    /** The result of a tool call. */
    @JsonProperty("tool")
    TOOL
}
