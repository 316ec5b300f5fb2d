package dev.assay.domain.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.template.Template;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CaseReadsTest {

    private static CaseReads of(@Nullable String template, boolean templateVars) {
        return CaseReads.of(new Wording(null, template == null ? null : Template.text(template), templateVars));
    }

    @Test
    void shouldReadPromptsAloneWithoutATemplate() {
        assertThat(of(null, false)).isEqualTo(new CaseReads(true, Set.of()));
    }

    @Test
    void shouldReadTheVarsOfItsPlaces() {
        assertThat(of("{{ a }} and {{b}}", false)).isEqualTo(new CaseReads(false, Set.of("a", "b")));
        assertThat(of("{{ prompt }}", false)).isEqualTo(new CaseReads(true, Set.of("prompt")));
    }

    @Test
    void shouldReadAllWhenATemplateDoesMore() {
        assertThat(of("{% if a %}{{ b }}{% endif %}", false)).isEqualTo(new CaseReads(true, null));
        assertThat(of("{{ a }}", true)).as("vars may name vars").isEqualTo(new CaseReads(true, null));
    }
}
