package dev.assay.store.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.check.code.Interpreter;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreTest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@StoreTest
final class InterpreterRepositoryTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Interpreter PYTHON = new Interpreter("python", "/usr/bin/python3", "3.12.1");
    private static final Interpreter NODE = new Interpreter("javascript", "/usr/bin/node", "22.1.0");

    private final SampleCampaign sample = new SampleCampaign("interpreted-" + NUMBER.incrementAndGet(), 1, 1, 1);
    private final String id = sample.name();
    private final CampaignRepository campaigns;
    private final InterpreterRepository interpreters;

    InterpreterRepositoryTest(CampaignRepository campaigns, InterpreterRepository interpreters) {
        this.campaigns = campaigns;
        this.interpreters = interpreters;
    }

    @Test
    void shouldKeepEachOnceWhenProcessesBegin() {
        campaigns.create(id, sample.submission());
        interpreters.add(id, PYTHON);
        interpreters.add(id, NODE);
        interpreters.add(id, PYTHON);

        assertThat(interpreters.find(id)).containsExactly(NODE, PYTHON);
        interpreters.add("none-" + id, PYTHON);
        assertThat(interpreters.find("none-" + id)).isEmpty();
    }

    @Test
    void shouldKeepAHundredWhenThereAreMore() {
        campaigns.create(id, sample.submission());
        for (int i = 0; i < 120; i++) {
            interpreters.add(id, new Interpreter("python", "/opt/" + i, "3.12.1"));
        }
        assertThat(interpreters.find(id)).hasSize(100);
    }
}
