package dev.assay.activities.provider.delivery;

import dev.assay.activities.http.DirectHttp;
import dev.assay.activities.http.LostConnection;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.delivery.DeliveredFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLHandshakeException;

/** The HTTP of batch APIs: short answers are read whole, result files piece by piece. Nothing is retried. */
public final class BatchHttp implements AutoCloseable {

    /** Bytes of an answer that is no result file and no page of a list. */
    private static final long MAX_ANSWER = 1024 * 1024;

    /** Bytes of a result file, above what any API gives: a server that never stops must end. */
    private static final long MAX_FILE = 16L * 1024 * 1024 * 1024;

    /** Bytes of a page of 100 batches, each with up to 16 metadata fields and its errors. */
    private static final long MAX_PAGE = 8 * MAX_ANSWER;

    private final Times times;
    private final WholeAnswers answers;
    private final WholeAnswers pages;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient files =
            DirectHttp.builder(DirectHttp.CONNECT_TIMEOUT).executor(executor).build();

    /**
     * How long is waited.
     *
     * @param call for an answer, its body included; a file that is sent has a second more for each {@code bytesPerSecond}
     * @param stall for the next piece of a result file
     * @param file for all of a result file
     * @param bytesPerSecond the slowest upload
     */
    record Times(Duration call, Duration stall, Duration file, long bytesPerSecond) {
        static final Times USUAL =
                new Times(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofHours(4), 256 * 1024);

        Duration sending(long bytes) {
            return call.plusSeconds(bytes / bytesPerSecond);
        }
    }

    public BatchHttp() {
        this(Times.USUAL);
    }

    BatchHttp(Times times) {
        this.times = times;
        this.answers = new WholeAnswers(MAX_ANSWER);
        this.pages = new WholeAnswers(MAX_PAGE);
    }

    /** How long is waited for an answer. */
    Duration patience() {
        return times.call();
    }

    /**
     * Sends a request and reads its short answer.
     *
     * @param bytes of its body
     */
    HttpResponse<byte[]> send(HttpRequest request, long bytes)
            throws IOException, TimeoutException, InterruptedException {
        return answers.send(request, times.sending(bytes).toNanos());
    }

    /** Asks for a page of a list. */
    HttpResponse<byte[]> page(HttpRequest request) throws IOException, TimeoutException, InterruptedException {
        return pages.send(request, times.call().toNanos());
    }

    /**
     * Sends a request on a connection of its own: one that was kept may be closed just now, and the request be lost for nothing.
     *
     * @param bytes of its body
     */
    HttpResponse<byte[]> once(HttpRequest request, long bytes)
            throws IOException, TimeoutException, InterruptedException {
        try (WholeAnswers one = new WholeAnswers(MAX_ANSWER)) {
            return one.send(request, times.sending(bytes).toNanos());
        }
    }

    /** Whether a request that failed was never sent, since no connection was made. */
    static boolean isUnsent(IOException failure) {
        if (failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || LostConnection.isUnknownHost(failure)) {
            return true;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLHandshakeException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks for a result file.
     *
     * @return the answer, whose body is still to be taken and must be closed
     */
    HttpResponse<BodyPieces> open(HttpRequest request) throws IOException, TimeoutException, InterruptedException {
        CompletableFuture<HttpResponse<BodyPieces>> answer = files.sendAsync(request, _ -> new BodyPieces());
        try {
            return answer.get(times.call().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(String.valueOf(e.getCause()), e);
        } finally {
            // Without effect when the answer is there.
            answer.cancel(true);
        }
    }

    /**
     * Reads a result file on the calling thread.
     *
     * @param isEnough asked after each piece, whether the rest may be left
     * @return whether it came whole
     */
    boolean read(HttpResponse<BodyPieces> answer, DeliveredFile lines, BooleanSupplier isEnough)
            throws InterruptedException {
        boolean isWhole = false;
        boolean endsInLine = true;
        long read = 0;
        long deadline = System.nanoTime() + times.file().toNanos();
        try (BodyPieces body = answer.body()) {
            List<ByteBuffer> piece = body.next(times.stall());
            while (piece != null && !isEnough.getAsBoolean()) {
                for (ByteBuffer bytes : piece) {
                    read += bytes.remaining();
                    endsInLine = bytes.hasRemaining() ? bytes.get(bytes.limit() - 1) == '\n' : endsInLine;
                    lines.take(bytes);
                }
                if (read > MAX_FILE || System.nanoTime() > deadline) {
                    throw new IOException("The file does not end");
                }
                piece = body.next(times.stall());
            }
            isWhole = piece == null && (hasLength(answer.headers()) || endsInLine);
        } catch (IOException _) {
            // It broke off: what came stays, and the caller reads the file again.
        }
        lines.end(isWhole);
        return isWhole;
    }

    /** Whether a cut would have been noticed. The body of any other answer ends where the connection does. */
    private static boolean hasLength(HttpHeaders headers) {
        return headers.firstValue("content-length").isPresent()
                || headers.firstValue("transfer-encoding").isPresent();
    }

    /** The first bytes of an answer that is no result file, as a text. */
    String refusal(HttpResponse<BodyPieces> answer) throws InterruptedException {
        StringBuilder text = new StringBuilder();
        try (BodyPieces body = answer.body()) {
            List<ByteBuffer> piece = body.next(times.stall());
            while (piece != null && text.length() < MAX_ANSWER) {
                piece.forEach(bytes -> text.append(StandardCharsets.UTF_8.decode(bytes)));
                piece = body.next(times.stall());
            }
        } catch (IOException _) {
            // What came says enough.
        }
        return text.toString();
    }

    @Override
    public void close() {
        answers.close();
        pages.close();
        files.shutdownNow();
        executor.shutdownNow();
    }
}
