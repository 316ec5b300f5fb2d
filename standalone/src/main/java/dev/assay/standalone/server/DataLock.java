package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One process at a time works on a data directory. The lock goes with its process, however that ends. */
public final class DataLock implements AutoCloseable {

    /** Those of this process, by their files. To open and close such a file would give its lock up. */
    private static final Map<Path, DataHolder> HELD = new ConcurrentHashMap<>();

    private final Path file;
    private final FileChannel channel;

    private DataLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes the directory for {@code holder}.
     *
     * @return empty when another process, or another server of this one, holds it
     */
    public static Optional<DataLock> tryLock(DataDirectory directory, DataHolder holder) {
        Path file = file(directory);
        if (HELD.putIfAbsent(file, holder) != null) {
            return Optional.empty();
        }
        DataLock taken = null;
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                channel.close();
                return Optional.empty();
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(Json.write(holder).getBytes(StandardCharsets.UTF_8)), 0);
            channel.force(true);
            taken = new DataLock(file, channel);
            return Optional.of(taken);
        } catch (IOException e) {
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, file + " cannot be locked: " + e.getMessage(), e);
        } finally {
            if (taken == null) {
                HELD.remove(file);
            }
        }
    }

    private static Path file(DataDirectory directory) {
        return directory.lockFile().toAbsolutePath().normalize();
    }

    /** The holder of the directory; empty when its lock file says nothing. Meaningful only after a lock was refused. */
    public static Optional<DataHolder> holder(DataDirectory directory) {
        DataHolder own = HELD.get(file(directory));
        if (own != null) {
            return Optional.of(own);
        }
        try {
            return Optional.of(Json.read(Files.readString(directory.lockFile()), DataHolder.class));
        } catch (IOException | IllegalArgumentException e) {
            // The holder has locked it and not yet written its name.
            return Optional.empty();
        }
    }

    /** The refusal that names the holder. */
    public static AssayException held(DataDirectory directory) {
        String by = holder(directory)
                .map(holder -> "`" + holder.command() + "` (pid " + holder.pid() + ", since " + holder.since() + ")")
                .orElse("another process");
        return new AssayException(
                ErrorCode.CONFLICT,
                "The data directory " + directory.path() + " is in use by " + by
                        + "; stop it first, or use another directory (--data DIR)");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, "The data directory could not be given back", e);
        } finally {
            HELD.remove(file);
        }
    }
}
