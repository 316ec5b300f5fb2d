package dev.assay.domain.campaign;

import dev.assay.domain.template.Template;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of a case decides the request of a branch, beside its context. Cases that are equal in this ask the same.
 *
 * @param prompts whether its prompts do
 * @param vars names of the vars that do; null: all
 */
public record CaseReads(boolean prompts, @Nullable Set<String> vars) {

    /** What a branch with {@code wording} reads of a case. */
    public static CaseReads of(Wording wording) {
        Template template = wording.template();
        if (wording.promptCode() != null) {
            return new CaseReads(true, null);
        }
        if (template == null) {
            return new CaseReads(true, Set.of());
        }
        Set<String> named = wording.templateVars() ? null : template.placesOnly();
        return new CaseReads(named == null || named.contains(Template.PROMPT), named);
    }
}
