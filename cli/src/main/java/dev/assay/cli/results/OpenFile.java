package dev.assay.cli.results;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.ResultFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A file of results that is open. */
public final class OpenFile implements AutoCloseable {

    private static final int ZIP = 0x504b0304;
    private static final int EMPTY_ZIP = 0x504b0506;

    private final Path path;
    private final FileChannel channel;
    private final @Nullable ZipFile archive;
    private final ResultFile file;
    private final long size;
    private final FileTime changed;

    private OpenFile(Path path, FileChannel channel, @Nullable ZipFile archive, ResultFile file, FileTime changed)
            throws IOException {
        this.path = path;
        this.channel = channel;
        this.archive = archive;
        this.file = file;
        this.size = channel.size();
        this.changed = changed;
    }

    /**
     * Opens a file.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when it cannot be opened, or is an archive that must not be unpacked
     */
    public static OpenFile of(Path path) {
        return of(path, false);
    }

    /**
     * As {@link #of(Path)}.
     *
     * @param salvage whether the entries of an archive that was cut off are looked for
     */
    public static OpenFile of(Path path, boolean salvage) {
        String name = String.valueOf(path.getFileName());
        try {
            FileTime changed = Files.getLastModifiedTime(path);
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            if (!isZip(channel)) {
                ResultFile text = new ResultFile(name, new FileText(channel, 0, channel.size(), name), Map.of());
                return new OpenFile(path, channel, null, text, changed);
            }
            if (salvage && !ZipEntries.hasList(channel)) {
                return new OpenFile(
                        path, channel, null, new ResultFile(name, null, CutArchive.entries(channel, name)), changed);
            }
            ZipEntries.checkList(channel, name);
            ZipFile archive = ZipFile.builder()
                    .setSeekableByteChannel(channel)
                    .setIgnoreLocalFileHeader(true)
                    .get();
            return new OpenFile(
                    path, channel, archive, new ResultFile(name, null, ZipEntries.of(archive, name)), changed);
        } catch (IOException e) {
            throw BadResults.at(name, "It cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isZip(FileChannel channel) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(4);
        int read = channel.read(first, 0);
        int signature = read == 4 ? first.getInt(0) : 0;
        return signature == ZIP || signature == EMPTY_ZIP;
    }

    /** What is in it. */
    public ResultFile file() {
        return file;
    }

    /** Its name, SHA-256 and size, as the API takes them. */
    public ObjectNode described() {
        try (InputStream content = Files.newInputStream(path);
                DigestInputStream digested = new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
            long read = digested.transferTo(java.io.OutputStream.nullOutputStream());
            return Json.mapper()
                    .createObjectNode()
                    .put("name", file.name())
                    .put(
                            "sha256",
                            HexFormat.of().formatHex(digested.getMessageDigest().digest()))
                    .put("size", read);
        } catch (IOException e) {
            throw BadResults.at(file.name(), "It cannot be read: " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each JDK has SHA-256", e);
        }
    }

    /** Refuses a file that changed since it was opened. */
    public void checkSame() {
        try {
            if (Files.size(path) != size || !Files.getLastModifiedTime(path).equals(changed)) {
                throw BadResults.at(file.name(), "The file changed while it was read: import it again.");
            }
        } catch (IOException e) {
            throw BadResults.at(file.name(), "The file went away while it was read.", e);
        }
    }

    @Override
    public void close() {
        try {
            if (archive != null) {
                archive.close();
            }
            channel.close();
        } catch (IOException e) {
            throw BadResults.at(file.name(), "It cannot be closed: " + e.getMessage(), e);
        }
    }
}
