package dev.assay.cli.history;

import static org.awaitility.Awaitility.await;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.KeptProcess;
import dev.assay.cli.testing.UnreliableModel;
import dev.assay.standalone.engine.ExternalEngine;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.testing.JavaProcess;
import dev.assay.workflows.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** {@code assay up} as a process, on a dev server, with a model that fails as providers do. */
final class RecordedServer implements AutoCloseable {

    private static final Path FOLDER = Path.of("..", "workflows", "src", "test", "resources", "histories");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final UnreliableModel model;
    private final KeptProcess temporal;
    private final KeptProcess assay;
    private final ExternalEngine engine;
    private final WorkflowClient client;
    final Api api;

    /**
     * Starts everything.
     *
     * @param continueAfter events of a history after which Temporal suggests to continue as new
     */
    RecordedServer(Path directory, int continueAfter) throws Exception {
        int port = FreePort.any();
        String address = "127.0.0.1:" + port;
        model = new UnreliableModel(Duration.ofMillis(100));
        temporal = KeptProcess.start(logged(
                directory,
                new ProcessBuilder(
                        DetachedCommand.onPath("temporal").orElseThrow().toString(),
                        "server",
                        "start-dev",
                        "--headless",
                        "--ip",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dynamic-config-value",
                        "limit.historyCount.suggestContinueAsNew=" + continueAfter)));
        await().atMost(PATIENCE).until(() -> listens(port));
        ProcessBuilder up = JavaProcess.of(Assay.class, "up", "--port", "0", "--engine", "external");
        up.environment()
                .putAll(Map.of(
                        "ASSAY_DATA",
                        directory.resolve("data").toString(),
                        "TEMPORAL_ADDRESS",
                        address,
                        "OPENAI_BASE_URL",
                        model.url(),
                        "OPENAI_API_KEY",
                        "none"));
        assay = KeptProcess.start(logged(directory, up));
        api = new Api(directory.resolve("data"));
        api.await();
        engine = ExternalEngine.at(address, "default", new NoopScope());
        client = WorkflowClient.newInstance(engine.stubs());
    }

    private static ProcessBuilder logged(Path directory, ProcessBuilder command) {
        return command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("processes.out").toFile()));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    WorkflowStub workflow(String id) {
        return client.newUntypedWorkflowStub(id);
    }

    /** Waits until the campaign has ended, and its workflow. */
    void awaitEnd(String campaignId) throws Exception {
        await().atMost(PATIENCE)
                .until(() -> api.campaign(campaignId).path("state").asText().matches("COMPLETED|CANCELLED|FAILED"));
        await().atMost(PATIENCE)
                .until(() -> !history(WorkflowIds.campaign(campaignId))
                        .getLastEvent()
                        .getEventType()
                        .name()
                        .contains("TASK"));
    }

    WorkflowExecutionHistory history(String workflowId) {
        return client.fetchHistory(workflowId);
    }

    WorkflowExecutionHistory history(String workflowId, String runId) {
        return client.fetchHistory(workflowId, runId);
    }

    /** Writes a history to the test resources, an event a line, without who wrote it. */
    static void record(String behaviour, WorkflowExecutionHistory history) throws IOException {
        String json = history.toJson(false)
                .replaceAll("\"identity\":\\s*\"[^\"]*\"", "\"identity\":\"recorded\"")
                .replaceAll(",\\s*\\{\\s*\"eventId\"", ",\n{\"eventId\"");
        Files.writeString(FOLDER.resolve(behaviour + ".json"), json + "\n");
    }

    @Override
    public void close() throws Exception {
        engine.close();
        assay.close();
        temporal.close();
        model.close();
    }
}
