package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.json.Json;
import org.junit.jupiter.api.Test;

class LostRuleTest {

    private static CheckResult result(Check check) {
        return check.result(check.rule().find(CheckInput.of("any")), null);
    }

    @Test
    void shouldBeUnscoredWithTheTypeThatWasLostWhateverTheAnswerIs() {
        CheckResult result = result(new Check(new LostRule("webhook", "tests[0].assert[1]"), CheckRole.REQUIRED));

        assertThat(result.type()).isEqualTo("webhook");
        assertThat(result.status()).isEqualTo(CheckResult.Status.UNSCORED);
        assertThat(result.reason()).startsWith("left out: `webhook`").contains("tests[0].assert[1]");
        assertThat(result.required()).isTrue();
        assertThat(result.lost()).isTrue();
        JsonNode json = Json.mapper().valueToTree(result);
        assertThat(json.path("lost").asBoolean()).isTrue();
    }

    @Test
    void shouldReadTheSuitesOfEarlierBuilds() {
        ObjectNode stored = (ObjectNode)
                Json.tree("{\"type\": \"unmapped\", \"what\": \"ruby\", \"required\": true, \"weight\": 2}");

        Check read = Check.of(stored);

        assertThat(read.rule()).isEqualTo(new LostRule("ruby", null));
        assertThat(read.role().weight()).isEqualByComparingTo("2");
        assertThat(Check.of(read.json())).isEqualTo(read);
        assertThat(result(read).reason()).isEqualTo("left out: `ruby` has no counterpart here.");
    }
}
