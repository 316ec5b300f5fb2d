package dev.assay.web.connection;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.types.files.StreamedFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * A file that is made while it is sent. When making it fails, its connection is cut off: the client neither takes a part for all, nor
 * waits for the rest. When its client leaves, nothing more is made.
 */
public final class SentFile extends FilterInputStream {

    private static final Logger LOG = LoggerFactory.getLogger(SentFile.class);

    private final HttpRequest<?> request;
    private final Disposable leaving;
    private volatile boolean left;

    private SentFile(HttpRequest<?> request, InputStream content) {
        super(content);
        this.request = request;
        this.leaving = Departure.of(request).doOnSuccess(gone -> leave()).subscribe();
    }

    /** The answer to {@code request}. */
    public static StreamedFile of(HttpRequest<?> request, InputStream content, MediaType type) {
        return new StreamedFile(new SentFile(request, content), type);
    }

    private void leave() {
        left = true;
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        leaving.dispose();
        in.close();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int count = in.read(into, offset, length);
            if (count < 0) {
                leaving.dispose();
            }
            return count;
        } catch (IOException | RuntimeException | Error e) {
            if (!left) {
                LOG.error(
                        "The answer to {} {} could not be sent to its end", request.getMethod(), request.getPath(), e);
            }
            Departure.force(request);
            throw e;
        }
    }
}
