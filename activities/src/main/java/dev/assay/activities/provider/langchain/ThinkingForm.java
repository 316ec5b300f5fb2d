package dev.assay.activities.provider.langchain;

/** The form in which an API is asked to let a model think. */
enum ThinkingForm {
    /** No setting for thinking is sent. */
    NONE,
    /** OpenAI's {@code reasoning_effort}. */
    EFFORT,
    /** Anthropic's {@code thinking: {type: adaptive}} with {@code output_config.effort}, from Claude 4.6 on. */
    ADAPTIVE,
    /** Anthropic's {@code thinking: {type: enabled}} with a budget of tokens, up to Claude 4.6. */
    BUDGET
}
