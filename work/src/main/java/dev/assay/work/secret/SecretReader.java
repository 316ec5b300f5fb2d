package dev.assay.work.secret;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The reader of one file with a secret. It takes at most 64 KiB and a bounded time, whatever the path leads to. */
final class SecretReader {

    static final int MAX_BYTES = 64 << 10;

    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String variable;
    private final Path path;
    private final boolean isReadAgain;
    private final Duration patience;

    /** A look that has not come back, such as of a file system that hangs: no second one joins it. */
    private @Nullable CompletableFuture<Content> pending;

    /**
     * @param variable what names the path, for messages
     * @param isReadAgain whether only a regular file will do: a pipe gives its text once
     */
    SecretReader(String variable, Path path, boolean isReadAgain, Duration patience) {
        this.patience = patience;
        this.variable = variable;
        this.path = path;
        this.isReadAgain = isReadAgain;
    }

    /**
     * The result of a look.
     *
     * @param text null: the file is as it was
     * @param state of the file before it was read
     */
    record Content(@Nullable String text, FileState state) {}

    boolean isIn(Path directory) {
        return path.startsWith(directory);
    }

    /** The variable and the path, for people. */
    String name() {
        return variable + " (" + path + ")";
    }

    /**
     * Looks at the file, and reads it unless it is as it was.
     *
     * @param seen what the last look has found; null: it is read in any case
     * @throws AssayException INVALID_INPUT when there is no secret in it; the message never holds what is
     */
    synchronized Content read(@Nullable FileState seen) {
        long left = pending == null ? patience.toNanos() : 0;
        CompletableFuture<Content> look = pending == null ? begun(seen) : pending;
        try {
            pending = look;
            Content content = look.get(left, TimeUnit.NANOSECONDS);
            pending = null;
            return content;
        } catch (TimeoutException e) {
            throw bad("does not end within " + patience.toSeconds() + " s", "name a file", e);
        } catch (ExecutionException e) {
            pending = null;
            if (e.getCause() instanceof AssayException known) {
                throw known;
            }
            throw bad("cannot be read", "name a text file that this user may read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw bad("was not read", "start again", e);
        }
    }

    private CompletableFuture<Content> begun(@Nullable FileState seen) {
        return CompletableFuture.supplyAsync(
                () -> look(seen),
                task -> Thread.ofPlatform().daemon().name("secret-file").start(task));
    }

    private Content look(@Nullable FileState seen) {
        try {
            FileState now = FileState.of(path);
            if (now.equals(seen)) {
                return new Content(null, now);
            }
            if (isReadAgain && !now.isRegular()) {
                throw bad("is no regular file", "name a text file", null);
            }
            try (InputStream file = Files.newInputStream(path)) {
                return new Content(text(file.readNBytes(MAX_BYTES + 1)), now);
            }
        } catch (IOException e) {
            throw bad("cannot be read", "name a text file that this user may read", e);
        }
    }

    private String text(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw bad("has more than 64 KiB", "name a file with the secret alone", null);
        }
        try {
            String all = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (all.isBlank()) {
                throw bad("is empty", "write the secret into it", null);
            }
            return withoutLineBreak(all);
        } catch (CharacterCodingException e) {
            // The exception does not hold the bytes, but nobody needs it.
            throw bad("is no text in UTF-8", "write it again", null);
        }
    }

    private static String withoutLineBreak(String all) {
        return all.endsWith("\r\n")
                ? all.substring(0, all.length() - 2)
                : all.endsWith("\n") ? all.substring(0, all.length() - 1) : all;
    }

    private AssayException bad(String fault, String remedy, @Nullable Throwable cause) {
        return new AssayException(
                ErrorCode.INVALID_INPUT, variable + " names " + path + ", which " + fault + "; " + remedy + ".", cause);
    }
}
