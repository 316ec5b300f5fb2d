/** The clients of OpenAI-compatible servers and Anthropic through LangChain4j, and the classes of their failures. */
@NullMarked
package dev.assay.activities.provider.langchain;

import org.jspecify.annotations.NullMarked;
