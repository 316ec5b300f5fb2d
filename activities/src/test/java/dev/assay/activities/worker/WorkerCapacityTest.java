package dev.assay.activities.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.store.StoreFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerCapacityTest {

    private static WorkerCapacity capacity(Map<String, Object> properties) {
        try (StoreFixture store = StoreFixture.open(properties)) {
            return store.get(WorkerCapacity.class);
        }
    }

    @Test
    void shouldBeWhatTheOperatorSaysAndElseWhatItAlwaysWas() {
        assertThat(capacity(Map.of())).isEqualTo(new WorkerCapacity(1_000, 200, 5, 5, 600));
        assertThat(capacity(Map.of(
                        "assay.worker.activities", 11,
                        "assay.worker.workflow-tasks", 12,
                        "assay.worker.activity-pollers", 1,
                        "assay.worker.workflow-pollers", 2,
                        "assay.worker.cached-workflows", 9_999)))
                .isEqualTo(new WorkerCapacity(11, 12, 1, 2, 9_999));
    }
}
