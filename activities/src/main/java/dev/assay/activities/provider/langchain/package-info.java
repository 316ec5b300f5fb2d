/** Asks OpenAI-compatible servers and Anthropic through LangChain4j, and classifies failures. */
@NullMarked
package dev.assay.activities.provider.langchain;

import org.jspecify.annotations.NullMarked;
