package dev.assay.activities.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import dev.assay.domain.isolation.ContainerRuntime;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorFileTest {

    @TempDir
    private Path directory;

    private Path tools(String yaml) throws IOException {
        return Files.writeString(directory.resolve("tools.yaml"), yaml);
    }

    private static AssayException refused(Path file) {
        return catchThrowableOfType(AssayException.class, () -> OperatorFile.toolPolicy(file));
    }

    @Test
    void shouldAllowNoToolWhenThereIsNoFileOrItSaysNothing() throws IOException {
        assertThat(OperatorFile.toolPolicy(null)).isEqualTo(ToolPolicy.NONE);
        assertThat(OperatorFile.toolPolicy(tools("# none yet\n"))).isEqualTo(ToolPolicy.NONE);
    }

    @Test
    void shouldAllowCommandsWhenTheFileNamesThem() throws IOException {
        assertThat(OperatorFile.toolPolicy(tools("commands: [[python3, server.py]]"))
                        .commands())
                .containsExactly(List.of("python3", "server.py"));
    }

    @Test
    void shouldNameTheFileWhenItIsMissingOrMalformed() throws IOException {
        AssayException missing = refused(directory.resolve("missing.yaml"));
        assertThat(missing.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(missing.failure().message()).contains("missing.yaml cannot be read");

        AssayException malformed = refused(tools("commands: ["));
        assertThat(malformed.code()).isEqualTo(ErrorCode.MALFORMED_INPUT);
        assertThat(malformed.failure().message()).contains("tools.yaml: Line 1, column ");
    }

    @Test
    void shouldNameTheFieldWhenItIsWrong() throws IOException {
        assertThat(refused(tools("addresses: [{url: 'http://localhost', variables: [TOKEN]}]"))
                        .errors())
                .extracting(FieldError::path)
                .containsExactly("addresses[0].variables");
    }

    @Test
    void shouldReadTheRulesOfIsolationWhenTheFileHasThem() throws IOException {
        IsolationRules rules = OperatorFile.toolsFile(tools("""
            isolation: {atLeast: confined, ports: open, image: debian@sha256:00, runtime: podman, network: open}
            agents:
              - {program: codex, isolation: user, image: "host:5000/codex:1", readable: [/srv], memoryMb: 64, processes: 9, cpus: 0.5, diskMb: 32}
              - {program: sh}
            """)).isolation();

        assertThat(rules.atLeast()).isEqualTo(IsolationLevel.CONFINED);
        assertThat(rules.portsOpen()).isTrue();
        assertThat(rules.containers()).isEqualTo(new ContainerRules("debian@sha256:00", ContainerRuntime.PODMAN, true));
        assertThat(rules.programs().getFirst().level()).isEqualTo(IsolationLevel.USER);
        assertThat(rules.image(rules.programs().getFirst())).isEqualTo("host:5000/codex:1");
        assertThat(rules.image(rules.programs().getLast())).isEqualTo("debian@sha256:00");
        assertThat(rules.programs().getFirst().readable()).containsExactly("/srv");
        assertThat(rules.programs().getFirst().limits()).isEqualTo(new AttemptLimits(64, 9, new BigDecimal("0.5"), 32));
        assertThat(rules.programs().getLast().limits()).isEqualTo(AttemptLimits.DEFAULT);
    }

    @Test
    void shouldNameEveryErrorOfIsolationAtOnceWhenTheFileHasSeveral() throws IOException {
        assertThat(refused(tools("""
            isolation: {atLeast: user, ports: half, image: --privileged, runtime: lxc, network: closed, more: 1}
            agents:
              - {program: a, isolation: confined}
              - {program: b, isolation: high, readable: [relative], memoryMb: 1, cpus: 0}
              - {program: c, isolation: container, image: 7}
            """)).errors())
                .extracting(FieldError::path)
                .containsExactlyInAnyOrder(
                        "isolation.ports",
                        "isolation.image",
                        "isolation.runtime",
                        "isolation.network",
                        "isolation.more",
                        "agents[0].isolation",
                        "agents[1].isolation",
                        "agents[1].readable[0]",
                        "agents[1].memoryMb",
                        "agents[1].cpus",
                        "agents[2].image");
    }

    @Test
    void shouldAskForAnImageWhenTheLevelNeedsOne() throws IOException {
        assertThat(refused(tools("agents: [{program: a}, {program: b, isolation: container}]"))
                        .errors())
                .extracting(FieldError::path)
                .containsExactly("agents[1].image");
        assertThat(refused(tools("""
            isolation: {atLeast: container}
            agents: [{program: a}, {program: b, image: x}]
            """)).errors()).extracting(FieldError::path).containsExactly("agents[0].image");
    }
}
