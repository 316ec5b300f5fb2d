package dev.assay.cli.command.results;

import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the results of a campaign as a file, or as a directory of tables or in the form of Every Eval Ever. */
@Command(
        name = "export",
        description =
                "Write the results of a campaign as CSV, JSON Lines or Parquet, or in the form of Every Eval Ever.")
public final class ExportCommand implements Callable<Integer> {

    private static final String EEE = "eee";

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(
            names = "--format",
            paramLabel = "F",
            required = true,
            description = "csv, jsonl, ndjson (the same), parquet or eee: Every Eval Ever 0.3.0.")
    private String format = "";

    @Option(
            names = "--output",
            paramLabel = "PATH",
            required = true,
            description =
                    "The file. Of eee and --tables a directory, or an archive where the name ends in .zip. What is"
                            + " there is not overwritten.")
    private Path output = Path.of("");

    @Option(
            names = "--tables",
            paramLabel = "TABLES",
            description = "Of jsonl and parquet: outcomes, checks, labels and cases, joined by commas; a file of each.")
    private @Nullable String tables;

    @Option(names = "--branch", paramLabel = "BRANCH", description = "Only of this branch.")
    private @Nullable String branch;

    @Option(names = "--case", paramLabel = "CASE", description = "Only of this case.")
    private @Nullable String suiteCase;

    @Option(names = "--organization", paramLabel = "NAME", description = "Of eee: who evaluated. Default: unknown.")
    private @Nullable String organization;

    @Option(
            names = "--relationship",
            paramLabel = "WORD",
            description = "Of eee: first_party, third_party, collaborative or other. Default: other.")
    private @Nullable String relationship;

    @Option(names = "--developer", paramLabel = "NAME", description = "Of eee: who makes the models.")
    private @Nullable String developer;

    @Option(names = "--redact", description = "Of eee: write the SHA-256 of prompts, references and responses.")
    private boolean redact;

    @Parameters(paramLabel = "CAMPAIGN", description = "The campaign.")
    private String id = "";

    @Override
    public Integer call() {
        if (Files.exists(output)) {
            throw new AssayException(ErrorCode.INVALID_INPUT, output + " is there already; name another --output");
        }
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            session.api().export(id, query(), (content, _) -> {
                write(content);
                return output;
            });
        }
        connect.common().out().println("Wrote " + output);
        connect.common().out().flush();
        return ExitCode.OK;
    }

    private Map<String, String> query() {
        Map<String, @Nullable String> all = new LinkedHashMap<>();
        all.put("format", format);
        all.put("tables", tables);
        all.put("branchId", branch);
        all.put("caseId", suiteCase);
        all.put("organization", organization);
        all.put("relationship", relationship);
        all.put("developer", developer);
        all.put("redact", redact ? "true" : null);
        Map<String, String> query = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            if (value != null) {
                query.put(name, value);
            }
        });
        return query;
    }

    /** Writes beside the place, and moves there when all of it is there. What fails leaves nothing. */
    private void write(InputStream content) throws IOException {
        Path target = output.toAbsolutePath().normalize();
        Path parent = Files.createDirectories(target.resolveSibling(".")).normalize();
        boolean isDirectory = isDirectory();
        Path part = isDirectory
                ? Files.createTempDirectory(parent, ".assay-export")
                : Files.createTempFile(parent, ".assay-export", null);
        try {
            if (isDirectory) {
                unpack(content, part);
            } else {
                Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(part, target);
        } finally {
            remove(part);
        }
    }

    /** Whether the server sends an archive that is wanted as a directory. */
    private boolean isDirectory() {
        boolean isArchive = format.equals(EEE) || tables != null;
        return isArchive && !output.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
    }

    /** Removes what was not moved; nothing where all was. */
    private static void remove(Path part) throws IOException {
        if (Files.exists(part)) {
            try (Stream<Path> all = Files.walk(part)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(one);
                }
            }
        }
    }

    private static void unpack(InputStream content, Path directory) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(content)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException("The server names a file outside of the directory: " + entry.getName());
                }
                Files.createDirectories(file.resolveSibling("."));
                Files.copy(zip, file);
            }
        }
    }
}
