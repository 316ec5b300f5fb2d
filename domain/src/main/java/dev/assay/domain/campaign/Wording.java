package dev.assay.domain.campaign;

import dev.assay.domain.check.code.PromptCode;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.template.Template;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a branch sends a case to its agent, and in which checks see the answer.
 *
 * @param systemPrompt of the agent, before the conversation; null: none
 * @param template what is asked in place of a case's prompts, with places for its vars; null: the prompts as they are
 * @param templateVars whether texts of vars are templates over the others; else they are final. It is the campaign's word
 * @param promptCode says what is asked in place of a case's prompts; null: the template does, or there is none
 * @param transform makes of each answer what checks see; null: they see the answer
 * @param lost what an import left out of all this, so that the answers are others than the imported file asks for; null: nothing
 */
public record Wording(
        @Nullable String systemPrompt,
        @Nullable Template template,
        boolean templateVars,
        @Nullable PromptCode promptCode,
        @Nullable Script transform,
        @Nullable String lost) {

    /** A wording of answers that checks see as they are. */
    public Wording(@Nullable String systemPrompt, @Nullable Template template, boolean templateVars) {
        this(systemPrompt, template, templateVars, null, null, null);
    }

    /** Whether something else is asked than the prompts of the case. */
    public boolean replacesPrompts() {
        return template != null || promptCode != null;
    }

    /** Whether it makes the same request of a case as {@code other}. */
    boolean asksAs(Wording other) {
        return Objects.equals(systemPrompt, other.systemPrompt)
                && Objects.equals(template, other.template)
                && templateVars == other.templateVars
                && Objects.equals(promptCode, other.promptCode);
    }

    /** The same with another system prompt. */
    Wording withSystemPrompt(@Nullable String other) {
        return new Wording(other, template, templateVars, promptCode, transform, lost);
    }
}
