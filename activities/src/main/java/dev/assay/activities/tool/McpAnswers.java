package dev.assay.activities.tool;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** How much an MCP server may say at once: a line is one message. */
final class McpAnswers {

    /** Bytes of one message. */
    static final int MAX_BYTES = 1024 * 1024;

    static final String TOO_LONG = "The MCP server answered more than 1 MiB";

    /** Answers in which a server may list its tools, in the life of a session. */
    static final int MAX_PAGES = 100;

    static final String TOO_MANY_PAGES = "The MCP server lists its tools without end";

    private long ofLine;

    private void spend(byte octet) throws IOException {
        ofLine = octet == '\n' ? 0 : ofLine + 1;
        if (ofLine > MAX_BYTES) {
            throw new IOException(TOO_LONG);
        }
    }

    /** The same bytes; reading fails in a line that is too long. */
    static InputStream bounded(InputStream lines) {
        McpAnswers answers = new McpAnswers();
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

    /** The same answer; it is cancelled in a line that is too long. */
    static <T> BodySubscriber<T> bounded(BodySubscriber<T> lines) {
        return new Bounded<>(lines);
    }

    private static final class Bounded<T> implements BodySubscriber<T> {

        private final McpAnswers answers = new McpAnswers();
        private final BodySubscriber<T> lines;
        private Flow.Subscription subscription = new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        };
        private boolean failed;

        Bounded(BodySubscriber<T> lines) {
            this.lines = lines;
        }

        @Override
        public CompletionStage<T> getBody() {
            return lines.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription answer) {
            subscription = answer;
            lines.onSubscribe(answer);
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
                lines.onNext(buffers);
            } catch (IOException e) {
                failed = true;
                subscription.cancel();
                lines.onError(e);
            }
        }

        @Override
        public void onError(Throwable error) {
            if (!failed) {
                lines.onError(error);
            }
        }

        @Override
        public void onComplete() {
            if (!failed) {
                lines.onComplete();
            }
        }
    }
}
