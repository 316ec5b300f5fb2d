package dev.assay.domain.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.agent.AgentHttp.UsagePaths;
import dev.assay.domain.usage.Usage;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemAnswerTest {

    private static Usage read(String body, UsagePaths paths) {
        return SystemAnswer.of(body, new AgentHttp.Answer(null, paths)).usage();
    }

    @Test
    void shouldLeaveUnknownWhatASystemDoesNotReport() {
        UsagePaths object = new UsagePaths("$.usage", Map.of());

        assertThat(read("{\"usage\": {\"output\": 9}}", object)).isEqualTo(new Usage(null, 9L, null, null, null, null));
        assertThat(read("{\"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 2}}", object))
                .isEqualTo(new Usage(7L, 2L, null, null, null, 9L));
        assertThat(read("{\"usage\": {\"total\": 9, \"input\": -1, \"output\": 1.5, \"reasoning\": \"3\"}}", object))
                .isEqualTo(new Usage(null, null, null, null, null, 9L));
        assertThat(read("{\"usage\": {}}", object)).isEqualTo(Usage.UNKNOWN);
        assertThat(read("{}", object)).isEqualTo(Usage.UNKNOWN);
        assertThat(read("no JSON", object)).isEqualTo(Usage.UNKNOWN);
        assertThat(read("{\"usage\": {\"output\": 9}}", UsagePaths.NONE)).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void shouldLetAPathOfANumberWin() {
        UsagePaths paths = new UsagePaths("$.usage", Map.of("input", "$.in", "cacheRead", "$.cached"));

        assertThat(read("{\"in\": 4, \"usage\": {\"input\": 8, \"output\": 1, \"cacheRead\": 3}}", paths))
                .isEqualTo(new Usage(4L, 1L, null, null, null, 5L));
    }
}
