package dev.assay.standalone.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.testing.LastingPort;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.campaign.Visibility;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporalEngineTest {

    @TempDir
    Path directory;

    @Test
    void shouldAnswerWithoutAPortWhenInProcess() {
        try (TemporalEngine engine = new InProcessEngine(new NoopScope())) {
            answer(engine);
            assertThat(engine.address()).isNull();
            assertThat(engine.banner()).contains("in this process");
        }
    }

    @Test
    void shouldRegisterSearchAttributesOnceWhenTheNamespaceLacksThem() {
        try (TemporalEngine engine = new InProcessEngine(new NoopScope())) {
            assertThat(SearchAttributeSetup.ensure(engine.stubs(), engine.namespace(), NamePrefix.NONE))
                    .isEqualTo(Visibility.SEARCHABLE);
            assertThat(SearchAttributeSetup.ensure(engine.stubs(), engine.namespace(), NamePrefix.NONE))
                    .isEqualTo(Visibility.SEARCHABLE);
        }
    }

    @Test
    void shouldRegisterTheOthersWhenAnotherTypeHasTheNameOfOne() {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        try (DevServerEngine engine = DevServerEngine.start(
                directory.resolve("temporal"),
                directory.resolve("temporal.log"),
                () -> {},
                new NoopScope(),
                PagesAccess.LOCAL)) {
            OperatorServiceStubs operator = OperatorServiceStubs.newServiceStubs(
                    OperatorServiceStubsOptions.newBuilder(engine.stubs().getOptions())
                            .build());
            var _ = operator.blockingStub()
                    .addSearchAttributes(AddSearchAttributesRequest.newBuilder()
                            .setNamespace(engine.namespace())
                            .putSearchAttributes("PassRate", IndexedValueType.INDEXED_VALUE_TYPE_TEXT)
                            .build());
            operator.shutdownNow();

            assertThat(SearchAttributeSetup.ensure(engine.stubs(), engine.namespace(), NamePrefix.NONE))
                    .isEqualTo(Visibility.SEARCHABLE);
        }
    }

    @Test
    void shouldRunWithoutSearchAttributesWhenNobodyMayRegisterThem() {
        try (TemporalEngine engine = new InProcessEngine(new NoopScope())) {
            WorkflowServiceStubs stubs = engine.stubs();
            engine.close();

            assertThat(SearchAttributeSetup.ensure(stubs, engine.namespace(), NamePrefix.NONE))
                    .isEqualTo(Visibility.OBSERVED);
        }
    }

    @Test
    void shouldNotStartOnceItIsClosed() {
        TemporalEngine engine = new InProcessEngine(new NoopScope());
        engine.close();

        assertThatThrownBy(engine::stubs).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRunAgainOnTheSamePortWhenTheDevServerIsKilled() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        AtomicInteger restarts = new AtomicInteger();
        try (DevServerEngine engine = DevServerEngine.start(
                LastingPort.forDevServer(directory.resolve("temporal")),
                directory.resolve("temporal.log"),
                restarts::incrementAndGet,
                new NoopScope(),
                PagesAccess.LOCAL)) {
            answer(engine);
            String address = engine.address();
            ProcessHandle.of(engine.pid()).orElseThrow().destroyForcibly();
            await().atMost(Duration.ofSeconds(60)).until(() -> restarts.get() == 1);
            NamespaceWait.until(engine.stubs(), engine.namespace(), Duration.ofSeconds(30));
            answer(engine);
            assertThat(engine.address()).isEqualTo(address);
        }
    }

    @Test
    void shouldHaveAServerOfItsOwnWhenTwoStartAtOnce() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        String port = LastingPort.any() + "\n";
        List<Callable<DevServerEngine>> starts = Stream.of("one", "two", "three")
                .map(directory::resolve)
                .<Callable<DevServerEngine>>map(home -> () -> {
                    Files.createDirectories(home);
                    Files.writeString(home.resolve("port"), port);
                    return DevServerEngine.start(
                            home, home.resolve("temporal.log"), () -> {}, new NoopScope(), PagesAccess.LOCAL);
                })
                .toList();
        List<DevServerEngine> engines = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<DevServerEngine> started : threads.invokeAll(starts)) {
                engines.add(started.get());
            }

            assertThat(engines).extracting(DevServerEngine::address).doesNotHaveDuplicates();
        } finally {
            engines.forEach(DevServerEngine::close);
        }
    }

    @Test
    void shouldChooseByOptionThenEnvironmentWhenAsked() {
        assertThat(EngineKind.choose("in-process", Map.of("ASSAY_ENGINE", "external")))
                .isEqualTo(EngineKind.IN_PROCESS);
        assertThat(EngineKind.choose(null, Map.of("ASSAY_ENGINE", "dev-server")))
                .isEqualTo(EngineKind.DEV_SERVER);
        assertThat(EngineKind.choose(null, Map.of("TEMPORAL_ADDRESS", "temporal:7233")))
                .isEqualTo(EngineKind.EXTERNAL);
        assertThatThrownBy(() -> EngineKind.choose("cloud", Map.of())).hasMessageContaining("\"cloud\"");
    }

    private static void answer(TemporalEngine engine) {
        assertThat(engine.stubs()
                        .blockingStub()
                        .withDeadlineAfter(5, TimeUnit.SECONDS)
                        .getSystemInfo(GetSystemInfoRequest.getDefaultInstance())
                        .hasCapabilities())
                .isTrue();
    }
}
