package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {

    private static final Path LAUNCHER = Path.of("..", "assay").toAbsolutePath().normalize();

    @TempDir
    Path directory;

    private record Ended(int code, String out, String err) {}

    @Test
    void shouldBeCorrectBashWhenParsed() throws Exception {
        assertThat(run(Map.of(), "bash", "-n", LAUNCHER.toString()).code()).isZero();
    }

    @Test
    void shouldSayWhatToInstallWhenThereIsNoJdk() throws Exception {
        Ended ended = run(
                Map.of("ASSAY_JDK_DIRECTORIES", "", "HOME", directory.toString(), "PATH", "/usr/bin:/bin"),
                "bash",
                "-c",
                "PATH=" + pathWithoutJava() + "; . \"$0\" version",
                LAUNCHER.toString());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("No JDK 25 or newer was found", "ASSAY_JAVA_HOME");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void shouldNameTheDirectoryWhenTheGivenOneHoldsNoJdk() throws Exception {
        Ended ended = run(Map.of("ASSAY_JAVA_HOME", directory.toString()), "bash", LAUNCHER.toString(), "version");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("ASSAY_JAVA_HOME=" + directory);
    }

    @Test
    void shouldBuildAgainWhenTheCheckoutWasCopied() throws Exception {
        Path original = Files.createDirectories(directory.toRealPath().resolve("original/target/launcher/app-1"));
        Files.writeString(original.resolve("stamp"), original + "\n");
        Files.createSymbolicLink(original.resolveSibling("current"), original);
        assertThat(run(
                                Map.of(),
                                "cp",
                                "-a",
                                directory.resolve("original").toString(),
                                directory.resolve("copy").toString())
                        .code())
                .isZero();

        assertThat(isCurrent("original")).isTrue();
        assertThat(isCurrent("copy")).isFalse();
    }

    private boolean isCurrent(String checkout) throws Exception {
        String home = directory.toRealPath().resolve(checkout).toString();
        Ended ended = run(
                Map.of("HOME_OF_ASSAY", home),
                "bash",
                "-c",
                ". \"$1\"; assay_home=$HOME_OF_ASSAY launcher=$HOME_OF_ASSAY/target/launcher"
                        + " current=$launcher/current; is_current",
                "only its functions",
                LAUNCHER.toString());
        assertThat(ended.err()).isEmpty();
        return ended.code() == 0;
    }

    @Test
    void shouldTakeTheHomeOfTheEnvironmentWhenItStarts() throws Exception {
        assertThat(startedIn("/a home/of mine").lines()).contains("-Duser.home=/a home/of mine", "list");
        for (String none : new String[] {"", "relative/home", "~"}) {
            assertThat(startedIn(none))
                    .as(none)
                    .doesNotContain("-Duser.home", "-Dassay.home")
                    .contains("list");
        }
    }

    @Test
    void shouldNameTheListedHomeOnlyWhenTheOneOfTheEnvironmentHasNoData() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        String listed = run(Map.of(), "bash", "-c", "unset HOME; printf %s ~").out();
        assertThat(listed).startsWith("/");
        assertThat(startedIn(home.toString()).lines()).contains("-Dassay.home.listed=" + listed);

        Files.createDirectory(home.resolve(".assay"));
        assertThat(startedIn(home.toString())).doesNotContain("-Dassay.home.listed");
    }

    /** The arguments of the JVM, one a line. */
    private String startedIn(String home) throws Exception {
        Path checkout = Files.createDirectories(directory.toRealPath().resolve("checkout"));
        Path copied = Files.copy(LAUNCHER, checkout.resolve("assay"), StandardCopyOption.REPLACE_EXISTING);
        Path built = Files.createDirectories(checkout.resolve("target/launcher/app-1"));
        Files.writeString(built.resolve("stamp"), built + "\n");
        Path current = built.resolveSibling("current");
        Files.deleteIfExists(current);
        Files.createSymbolicLink(current, built);

        Ended ended = run(
                Map.of("ASSAY_JAVA_HOME", printingJdk().toString(), "HOME", home), "bash", copied.toString(), "list");
        assertThat(ended.err()).isEmpty();
        return ended.out();
    }

    @Test
    void shouldLoadWhatAClientNeedsWhereTheCommandStartsNoServer() throws Exception {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        Path served = Files.createDirectory(directory.resolve("served"));
        Files.writeString(served.resolve("endpoints.json"), "{}");

        for (String client : new String[] {
            "",
            "--help",
            "validate F",
            "list --server http://a",
            "list --server=http://a",
            "run --help",
            "run F --data " + served,
            "list --data=" + served
        }) {
            assertThat(recorded(alone, client)).as(client).isEqualTo("client");
        }
        for (String server : new String[] {
            "up", "worker", "server --data " + served, "run F", "list", "list --data", "run F --data=" + alone
        }) {
            assertThat(recorded(alone, server)).as(server).isEqualTo("server");
        }
        assertThat(recorded(served, "list")).isEqualTo("client");
    }

    private String recorded(Path data, String arguments) throws Exception {
        Ended ended = run(
                Map.of("ASSAY_DATA", data.toString()),
                "bash",
                "-c",
                ". \"$1\"; recorded " + arguments,
                "only its functions",
                LAUNCHER.toString());
        assertThat(ended.err()).isEmpty();
        return ended.out().strip();
    }

    /** A JDK that only prints its arguments, one a line. */
    private Path printingJdk() throws IOException {
        Path jdk = Files.createDirectories(directory.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
        for (String program : new String[] {"java", "javac"}) {
            Path file = Files.writeString(jdk.resolve("bin").resolve(program), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        return jdk;
    }

    /** A PATH with the few tools that the launcher itself needs before it looks for a JDK, and no java. */
    private static String pathWithoutJava() throws IOException {
        Path tools = Files.createDirectories(Path.of("target", "launcher-tools").toAbsolutePath());
        for (String tool : new String[] {"dirname", "readlink", "sed", "head"}) {
            for (String place : new String[] {"/usr/bin", "/bin"}) {
                Path program = Path.of(place, tool);
                if (Files.exists(program) && !Files.exists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), program);
                }
            }
        }
        return tools.toString();
    }

    private Ended run(Map<String, String> environment, String... command) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove("JAVA_HOME");
        builder.environment().remove("ASSAY_JAVA_HOME");
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
