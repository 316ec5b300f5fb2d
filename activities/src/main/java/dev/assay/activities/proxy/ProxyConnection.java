package dev.assay.activities.proxy;

import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a program: its requests, one after the other. */
final class ProxyConnection implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);

    /** The longest time that a program may take to read what was sent to it. */
    private static final Duration MAX_STALL = Duration.ofSeconds(60);

    private static final Map<String, String> JSON = Map.of("content-type", "application/json");

    private static final int OK = 200;

    private final ModelProxy proxy;
    private final ProxyListener listener;
    private final Socket socket;
    private final ClientInput input;
    private final ClientOutput output;

    ProxyConnection(ModelProxy proxy, ProxyListener listener, Socket socket) throws IOException {
        this.proxy = proxy;
        this.listener = listener;
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.input = new ClientInput(socket);
        this.output = new ClientOutput(socket.getOutputStream());
    }

    @Override
    public void run() {
        try (socket) {
            boolean staysOpen = true;
            while (staysOpen && input.awaitRequest()) {
                staysOpen = answered();
                listener.waits(this);
            }
        } catch (IOException e) {
            LOG.debug("A connection of a program ended", e);
        } catch (InterruptedException _) {
            LOG.debug("A connection of a program was cut off with its attempt");
        } catch (RuntimeException e) {
            LOG.warn("A request of a program failed unexpectedly", e);
        } finally {
            listener.forget(this);
        }
    }

    /** Answers one request; whether another may follow. */
    private boolean answered() throws IOException, InterruptedException {
        RequestHead head = null;
        Answering answering = new Answering();
        try {
            head = RequestHead.of(input.head());
            answering.answer(head);
            return answering.isWhole && head.staysOpen();
        } catch (RefusedException e) {
            boolean staysOpen = answering.isRead && head != null && head.staysOpen();
            refuse(e, answering.type, staysOpen);
            return staysOpen;
        }
    }

    private void refuse(RefusedException refused, ProviderType type, boolean staysOpen) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(JSON);
        Duration retryAfter = refused.retryAfter();
        if (retryAfter != null) {
            headers.put("retry-after", String.valueOf(retryAfter.toSeconds()));
        }
        output.answer(refused.status(), headers, refused.body(type), staysOpen);
        if (!staysOpen) {
            // A connection that is closed with bytes unread is reset, and the program does not see why.
            socket.shutdownOutput();
            input.drain();
        }
    }

    /** The answer to one request, as far as it has come. */
    private final class Answering {

        private ProviderType type = ProviderType.OPENAI;

        /** Whether the body of the request was read, so that the next request begins after it. */
        private boolean isRead;

        /** Whether the answer was sent to its end. */
        private boolean isWhole;

        private void answer(RequestHead head) throws IOException, RefusedException, InterruptedException {
            if (!listener.host().equals(head.header("host"))) {
                throw RefusedException.forbidden("The Host is not the address of the model proxy.");
            }
            ProxySession session = proxy.session(head.token());
            if (session == null) {
                throw RefusedException.unauthorized();
            }
            type = session.type();
            listener.works(ProxyConnection.this);
            if (head.method().equals("GET") && head.path().equals(Route.MODELS)) {
                models(session, head);
                return;
            }
            Route route = Route.of(head.method(), head.path()).orElseThrow(RefusedException::notFound);
            session.run(() -> {
                try (RequestMemory.Share memory = proxy.memory().share()) {
                    ProxiedRequest request = new ProxiedRequest(session, route, head, output);
                    isWhole = request.send(proxy.upstream(), body(head, memory));
                }
            });
        }

        private byte[] body(RequestHead head, RequestMemory.Share memory)
                throws IOException, RefusedException, InterruptedException {
            if (head.awaitsContinue()) {
                output.proceed();
            }
            byte[] body = input.body(head, memory);
            isRead = true;
            return body;
        }

        private void models(ProxySession session, RequestHead head) throws IOException {
            isWhole = !head.isChunked() && head.length() == 0;
            output.answer(OK, JSON, list(session), isWhole && head.staysOpen());
        }
    }

    /** The allowed models in the form in which the provider lists its own. */
    private static byte[] list(ProxySession session) {
        boolean isAnthropic = session.type() == ProviderType.ANTHROPIC;
        List<Map<String, Object>> models = session.allowed().stream()
                .map(name -> isAnthropic
                        ? Map.<String, Object>of(
                                "type", "model", "id", name, "display_name", name, "created_at", "1970-01-01T00:00:00Z")
                        : Map.<String, Object>of("id", name, "object", "model", "created", 0, "owned_by", "assay"))
                .toList();
        return Json.bytes(
                isAnthropic ? Map.of("data", models, "has_more", false) : Map.of("object", "list", "data", models));
    }

    /** Closes it when the program has not read for too long. */
    void closeIfStalled() {
        if (output.stalledNanos() > MAX_STALL.toNanos()) {
            close();
        }
    }

    /** Closes it; what is under way on it ends. */
    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A connection of a program could not be closed", e);
        }
    }
}
