package dev.assay.web.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import dev.assay.workflows.WorkflowIds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The task queue of the workflows of evaluations: their own, as soon as every worker polls it. */
final class EvaluationQueueTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        SampleCampaign.registerWorker(server.store(), "older");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void letAllPoll() {
        server.store()
                .execute("UPDATE worker SET lease_until = now() + interval '1 day', queues ="
                        + " '{assay,assay-evaluations}'");
    }

    private static String queue(String path, String body) {
        String answer = server.post("/api/v1" + path, "application/json", body).body();
        String id = Json.tree(answer).path("id").asText();
        return server.temporal()
                .newUntypedWorkflowStub(WorkflowIds.campaign(id))
                .describe()
                .getTaskQueue();
    }

    private static String ofEvaluation() {
        return queue(
                "/evaluations",
                "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\", \"model\": \"m\"}]}");
    }

    @Test
    void shouldBeTheirOwnWhenEveryWorkerPollsIt() {
        assertThat(ofEvaluation()).isEqualTo("assay-evaluations");
    }

    @Test
    void shouldBeThatOfCampaignsWhileALiveWorkerOfAnEarlierBuildDoesNotKnowTheirs() {
        server.store().execute("UPDATE worker SET queues = '{assay}' WHERE worker_id = 'older'");

        assertThat(ofEvaluation()).isEqualTo("assay");

        server.store().execute("UPDATE worker SET lease_until = '-infinity' WHERE worker_id = 'older'");
        assertThat(ofEvaluation()).isEqualTo("assay-evaluations");
    }

    @Test
    void shouldStayThatOfCampaignsForCampaigns() {
        String campaign = new SampleCampaign("suite", 1, 1, 1).document().toString();

        assertThat(queue("/campaigns", campaign)).isEqualTo("assay");
    }
}
