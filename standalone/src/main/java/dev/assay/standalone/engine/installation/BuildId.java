package dev.assay.standalone.engine.installation;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

/**
 * The build of Assay that runs here: its version and a hash of the code that decides what workflows do. The same classes have the same
 * build, packed into jars or not, whenever they were compiled.
 */
public final class BuildId {

    /** One class of each module whose code is replayed. */
    static final List<Class<?>> REPLAYED =
            List.of(CampaignWorkflowImpl.class, CampaignState.class, ErrorCode.class, TrialRate.class);

    private static final String NOT_CODE = "META-INF/";
    private static final int HASH_BYTES = 6;
    private static final String CURRENT =
            version() + "-" + hash(REPLAYED.stream().map(BuildId::place).toList());

    private BuildId() {}

    /** The build that runs here, for example {@code 1.0.0-5f3a09c1d2e4}. */
    public static String current() {
        return CURRENT;
    }

    /** The version of Assay that runs here. */
    public static String version() {
        return Objects.requireNonNullElse(BuildId.class.getPackage().getImplementationVersion(), "development");
    }

    /** 12 hexadecimal digits of the contents of jars and directories of classes. */
    public static String hash(List<Path> places) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path place : places) {
                (Files.isDirectory(place) ? filesOf(place) : entriesOf(place))
                        .stream().sorted().forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("The build of Assay cannot be read", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    private static Path place(Class<?> type) {
        try {
            URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The code of " + type + " lies nowhere", e);
        }
    }

    private static List<String> entriesOf(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .filter(entry -> !entry.isDirectory() && !entry.getName().startsWith(NOT_CODE))
                    .map(entry -> line(entry.getName(), entry.getCrc()))
                    .toList();
        }
    }

    private static List<String> filesOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> line(name(directory, file), checksum(file)))
                    .filter(line -> !line.startsWith(NOT_CODE))
                    .toList();
        }
    }

    private static String name(Path directory, Path file) {
        return directory.relativize(file).toString().replace('\\', '/');
    }

    private static String line(String name, long checksum) {
        return name + " " + checksum + "\n";
    }

    private static long checksum(Path file) {
        try {
            CRC32 checksum = new CRC32();
            checksum.update(Files.readAllBytes(file));
            return checksum.getValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
