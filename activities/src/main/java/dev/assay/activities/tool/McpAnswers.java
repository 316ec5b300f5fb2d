package dev.assay.activities.tool;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The bounds of what an MCP server may send: in one message, and in a stream of messages that are a line each. */
final class McpAnswers {

    /** Bytes of one message. */
    static final int MAX_BYTES = 1024 * 1024;

    /** Bytes of a stream: of one answer over HTTP, or of all that a process says in a session. */
    static final long MAX_STREAM_BYTES = 64L * 1024 * 1024;

    static final String TOO_LONG = "The MCP server answered more than 1 MiB";

    static final String TOO_MUCH = "The MCP server sent more than 64 MiB of messages";

    static final String NOT_READABLE = "The MCP server sent a message that is no JSON or cannot be understood";

    private final boolean isStream;
    private long all;
    private long ofMessage;

    private McpAnswers(boolean isStream) {
        this.isStream = isStream;
    }

    private void spend(byte octet) throws IOException {
        all++;
        ofMessage = isStream && octet == '\n' ? 0 : ofMessage + 1;
        if (ofMessage > MAX_BYTES) {
            throw new IOException(TOO_LONG);
        }
        if (all > MAX_STREAM_BYTES) {
            throw new IOException(TOO_MUCH);
        }
    }

    /** The same bytes of a stream; reading fails in a line that is too long, and where all is too much. */
    static InputStream boundedStream(InputStream lines) {
        McpAnswers answers = new McpAnswers(true);
        return new FilterInputStream(lines) {
            @Override
            public int read() throws IOException {
                int octet = super.read();
                if (octet >= 0) {
                    answers.spend((byte) octet);
                }
                return octet;
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int count = super.read(bytes, from, length);
                for (int i = 0; i < count; i++) {
                    answers.spend(bytes[from + i]);
                }
                return count;
            }
        };
    }

    /** The same stream; it is cancelled in a line that is too long, and where all is too much. */
    static <T> BodySubscriber<T> boundedStream(BodySubscriber<T> lines) {
        return new Bounded<>(new McpAnswers(true), lines);
    }

    /** The same message, be it in several lines; it is cancelled when it is too long. */
    static <T> BodySubscriber<T> boundedMessage(BodySubscriber<T> message) {
        return new Bounded<>(new McpAnswers(false), message);
    }

    private static final class Bounded<T> implements BodySubscriber<T> {

        private final McpAnswers answers;
        private final BodySubscriber<T> reader;
        private Flow.Subscription subscription = new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        };
        private boolean failed;

        Bounded(McpAnswers answers, BodySubscriber<T> reader) {
            this.answers = answers;
            this.reader = reader;
        }

        @Override
        public CompletionStage<T> getBody() {
            return reader.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription answer) {
            subscription = answer;
            reader.onSubscribe(answer);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            if (failed) {
                return;
            }
            try {
                for (ByteBuffer buffer : buffers) {
                    for (int i = buffer.position(); i < buffer.limit(); i++) {
                        answers.spend(buffer.get(i));
                    }
                }
                reader.onNext(buffers);
            } catch (IOException e) {
                failed = true;
                reader.onError(e);
                subscription.cancel();
            }
        }

        @Override
        public void onError(Throwable error) {
            if (!failed) {
                reader.onError(error);
            }
        }

        @Override
        public void onComplete() {
            if (!failed) {
                reader.onComplete();
            }
        }
    }
}
