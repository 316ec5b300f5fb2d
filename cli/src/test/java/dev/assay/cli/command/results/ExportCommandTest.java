package dev.assay.cli.command.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.CommandRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExportCommandTest {

    private static final String JSON = "{\"status\": 409, \"code\": \"CONFLICT\", \"detail\": \"It runs: wait\"}";

    @TempDir
    private Path directory;

    private HttpServer server;
    private byte[] sent = {};
    private int status = 200;
    private boolean isCut;
    private String asked = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        sent = archive("outcomes.jsonl", "data/a/b.json");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked = exchange.getRequestURI().toString();
        if (status != 200) {
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
        }
        exchange.sendResponseHeaders(status, isCut ? sent.length + 1L : sent.length);
        exchange.getResponseBody().write(sent);
        exchange.close();
    }

    private static byte[] archive(String... names) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    private static byte[] archive(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("large"));
            zip.write(content);
        }
        return out.toByteArray();
    }

    private CommandRun export(String output, String... options) {
        List<String> arguments = new ArrayList<>(List.of("export", "c-1", "--output"));
        arguments.add(directory.resolve(output).toString());
        arguments.addAll(Arrays.asList(options));
        arguments.addAll(
                List.of("--server", "http://127.0.0.1:" + server.getAddress().getPort()));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private List<String> there() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldMakeADirectoryOfAnArchive() throws IOException {
        CommandRun run = export("results", "--format", "eee");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(there()).containsExactly("results/data/a/b.json", "results/outcomes.jsonl");
    }

    @Test
    void shouldKeepAnArchiveWhenTheNameEndsSo() throws IOException {
        CommandRun run = export("results.zip", "--format", "eee");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(there()).containsExactly("results.zip");
        assertThat(Files.readAllBytes(directory.resolve("results.zip"))).isEqualTo(sent);
    }

    @Test
    void shouldAskForTablesAndMakeADirectoryOfThem() throws IOException {
        CommandRun run = export("tables", "--format", "parquet", "--tables", "outcomes,checks");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(asked).contains("format=parquet").contains("tables=outcomes");
        assertThat(there()).containsExactly("tables/data/a/b.json", "tables/outcomes.jsonl");
    }

    @Test
    void shouldLeaveNothingWhenTheServerFailsInTheMiddle() throws IOException {
        isCut = true;
        // More than a server keeps back, and cut off within an entry.
        byte[] noise = new byte[1_000_000];
        new Random(1).nextBytes(noise);
        byte[] whole = archive(noise);
        sent = Arrays.copyOf(whole, whole.length / 2);

        assertThat(export("results", "--format", "eee").code()).isNotZero();
        assertThat(export("results.zip", "--format", "eee").code()).isNotZero();
        assertThat(export("results.csv", "--format", "csv").code()).isNotZero();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNothingWhenAnEntryLeavesTheDirectory() throws IOException {
        sent = archive("a", "../../out");

        assertThat(export("results", "--format", "eee").code()).isNotZero();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNothingWhenTheServerRefuses() {
        status = 409;
        sent = JSON.getBytes(StandardCharsets.UTF_8);

        CommandRun run = export("results", "--format", "eee");

        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("It runs: wait");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldOverwriteNothing() throws IOException {
        Files.writeString(directory.resolve("results.csv"), "mine");

        CommandRun run = export("results.csv", "--format", "csv");

        assertThat(run.code()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("results.csv"))).isEqualTo("mine");
    }
}
