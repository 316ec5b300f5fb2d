package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker offers with the interpreters that it finds. */
@Timeout(120)
class FoundInterpretersTest {

    private static final CodeNeed PYTHON = new CodeNeed(CodeLanguage.PYTHON, null);

    @TempDir
    Path bin;

    private Path program(String name, String script) throws IOException {
        Path file =
                Files.writeString(bin.resolve(name), "#!/bin/sh\necho started >> " + bin + "/log\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private FoundInterpreters found() {
        return new FoundInterpreters(Map.of("PATH", bin + ":/nowhere"), "worker-7");
    }

    private static CodePermission permission(FoundInterpreters interpreters, String... languages) {
        ToolPolicy policy = new ToolPolicy(
                List.of(), List.of(), List.of(), null, new CodeAllowance(Set.of(languages), Set.of(), Set.of()));
        return new CodePermission(policy, null, ProgramIsolation.none(), interpreters);
    }

    private static ToolPolicy offer(CodePermission permission) {
        return new ToolPolicy(List.of(), List.of(), List.of(), null, permission.offered());
    }

    @Test
    void shouldOfferALanguageWhoseInterpreterIsNewEnough() throws Exception {
        program("python3", "echo 3.9.1");
        CodePermission permission = permission(found(), "python");

        assertThat(permission.offered()).isEqualTo(new CodeAllowance(Set.of("python"), Set.of(), Set.of()));
        assertThat(permission.refusal("c", CodeFiles.NONE, PYTHON)).isNull();
        assertThat(permission.leaves(CodeFiles.NONE, PYTHON)).isFalse();
        assertThat(Files.readAllLines(bin.resolve("log"))).as("asked once").hasSize(1);
    }

    @Test
    void shouldOfferNoLanguageWhoseInterpreterIsTooOldAndSayWhereItIs() throws Exception {
        program("python3", "echo 3.8.19");
        program("node", "echo 18.20.1");
        CodePermission permission = permission(found(), "python", "javascript");

        assertThat(permission.offered().languages()).isEmpty();
        assertThat(permission.refusal("c", CodeFiles.NONE, PYTHON))
                .isEqualTo("python3 on the PATH of worker-7 is version 3.8.19, and own code needs 3.9 or newer.");
        assertThat(permission.leaves(CodeFiles.NONE, PYTHON))
                .as("another worker may have a newer one")
                .isTrue();
        assertThat(OwnCode.refusal(PYTHON, CodeFiles.NONE, offer(permission)))
                .isEqualTo("Own code in python cannot run: python3 on the PATH of worker-7 is version 3.8.19, and own"
                        + " code needs 3.9 or newer.");
    }

    @Test
    void shouldSayWhereAnInterpreterIsMissing() {
        CodePermission permission = permission(found(), "python");
        assertThat(permission.offered().languages()).isEmpty();
        assertThat(OwnCode.refusal(PYTHON, CodeFiles.NONE, offer(permission)))
                .isEqualTo("Own code in python cannot run: python3 is not on the PATH of worker-7.");
        ToolPolicy both = offer(permission)
                .or(new ToolPolicy(
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        new CodeAllowance(Set.of("python"), Set.of(), Set.of())));
        assertThat(OwnCode.refusal(PYTHON, CodeFiles.NONE, both))
                .as("another worker has one")
                .isNull();
    }

    @Test
    void shouldStartNothingWhereNoCodeMayRun() throws Exception {
        program("python3", "echo 3.12.1");
        assertThat(permission(found()).offered()).isEqualTo(CodeAllowance.NONE);
        assertThat(bin.resolve("log")).doesNotExist();
    }

    @Test
    void shouldOfferNoLanguageWhoseInterpreterSaysNoVersion() throws Exception {
        program("python3", "printf 'no\\000thing \\033[31m'; exit 3");
        assertThat(permission(found(), "python").refusal("c", CodeFiles.NONE, PYTHON))
                .contains("is version no thing [31m, and own code needs")
                .doesNotContain("\u0000", "\u001b");
        Files.writeString(bin.resolve("node"), "no program at all");
        assertThat(bin.resolve("node").toFile().setExecutable(true)).isTrue();
        assertThat(permission(found(), "javascript").offered().languages()).isEmpty();
    }
}
