package dev.assay.domain.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import org.junit.jupiter.api.Test;

class DefinitionDifferenceTest {

    @Test
    void shouldNameEveryFieldThatDiffers() {
        assertThat(DefinitionDifference.of(Json.tree("""
            {"trials": 2, "branch": {"model": "a", "limits": {"maxTurns": 50}, "tools": [1]}, "old": true}\
            """), Json.tree("""
                {"trials": 3, "branch": {"model": "b", "limits": {"maxTurns": 50}, "tools": [1, 2]}, "new": null}\
                """)))
                .containsExactly(
                        new DefinitionDifference("branch.model", "a", "b"),
                        new DefinitionDifference("branch.tools", "[1]", "[1,2]"),
                        new DefinitionDifference("new", null, null),
                        new DefinitionDifference("old", "true", null),
                        new DefinitionDifference("trials", "2", "3"));
    }

    @Test
    void shouldTakeNumbersAsTheSameWhenOnlyTheirFormDiffers() {
        assertThat(DefinitionDifference.of(
                        Json.tree("{\"a\": 1.0, \"b\": [1]}"), Json.tree("{\"a\": 1, \"b\": [1.00]}")))
                .isEmpty();
        assertThat(DefinitionDifference.of(Json.tree("{\"a\": 1.5}"), Json.tree("{\"a\": \"1.5\"}")))
                .containsExactly(new DefinitionDifference("a", "1.5", "1.5"));
    }
}
