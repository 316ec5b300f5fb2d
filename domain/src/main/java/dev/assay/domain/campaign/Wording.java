package dev.assay.domain.campaign;

import dev.assay.domain.template.Template;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a branch sends a case to its agent.
 *
 * @param systemPrompt of the agent, before the conversation; null: none
 * @param template what is asked in place of a case's prompts, with places for its vars; null: the prompts as they are
 * @param templateVars whether texts of vars are templates over the others; else they are final. It is the campaign's word
 */
public record Wording(
        @Nullable String systemPrompt, @Nullable Template template, boolean templateVars) {}
