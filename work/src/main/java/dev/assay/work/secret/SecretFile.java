package dev.assay.work.secret;

import dev.assay.domain.error.AssayException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file with a secret whose value follows the file. */
final class SecretFile {

    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);

    /** Docker mounts a container's secrets there, which has no other users. */
    private static final Path OF_CONTAINER = Path.of("/run/secrets");

    private final SecretReader reader;
    private final List<Consumer<String>> takers = new CopyOnWriteArrayList<>();
    private volatile String value;

    /** Null: it is read at the next look, whatever the file looks like. */
    private @Nullable FileState seen;

    /** Null: the file can be read and used. */
    private volatile @Nullable String problem;

    private SecretFile(SecretReader reader) {
        this.reader = reader;
        SecretReader.Content first = reader.read(null);
        this.value = Objects.requireNonNull(first.text());
        this.seen = settled(first.state());
        if (first.state().isOpenToAll() && !reader.isIn(OF_CONTAINER)) {
            LOG.warn("{}: every user of this machine may read it; take that right away (chmod 400)", reader.name());
        }
    }

    /**
     * Reads {@code path} for the first time.
     *
     * @param variable what names the path, for messages
     * @throws AssayException INVALID_INPUT when it cannot be read
     */
    static SecretFile open(String variable, Path path) {
        return new SecretFile(new SecretReader(variable, path, true, SecretReader.PATIENCE));
    }

    /** As {@link #open}, of what may be a pipe; nothing follows it. */
    static String readOnce(String option, Path path) {
        return new SecretFile(new SecretReader(option, path, false, SecretReader.PATIENCE)).value;
    }

    private static @Nullable FileState settled(FileState state) {
        return state.isSettled() ? state : null;
    }

    String value() {
        return value;
    }

    boolean isUnreadable() {
        return problem != null;
    }

    void onChange(Consumer<String> taker) {
        takers.add(taker);
    }

    /** Takes what the file holds now, where it has changed. */
    synchronized void look() {
        try {
            SecretReader.Content now = reader.read(problem == null ? seen : null);
            take(now.text());
            seen = settled(now.state());
            if (problem != null) {
                LOG.warn("{}: it can be used again", reader.name());
            }
            problem = null;
        } catch (RuntimeException e) {
            report(e);
        }
    }

    private void take(@Nullable String text) {
        if (text == null || text.equals(value)) {
            return;
        }
        takers.forEach(taker -> taker.accept(text));
        value = text;
        LOG.info("{}: the new value is used from now on", reader.name());
    }

    /** Once for each problem. What others than Assay throw could quote the value. */
    private void report(RuntimeException failure) {
        String now = failure instanceof AssayException known
                ? String.valueOf(known.getMessage())
                : reader.name() + ": its new value cannot be used now ("
                        + failure.getClass().getSimpleName() + ")";
        if (!now.equals(problem)) {
            LOG.warn("{} The value before goes on.", now.endsWith(".") ? now : now + ".");
        }
        problem = now;
    }
}
