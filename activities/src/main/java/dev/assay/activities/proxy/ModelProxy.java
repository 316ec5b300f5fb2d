package dev.assay.activities.proxy;

import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.call.ProgramRequests;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.provider.ProviderInfo;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The model proxy of a worker. It listens from the first attempt on that needs it, and knows each running attempt by its token. */
@Singleton
public final class ModelProxy {

    private static final int TOKEN_BYTES = 32;

    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private static final String TOKEN_BEGIN = "assay-";

    private final ProviderCatalog providers;
    private final ProgramRequests requests;
    private final WorkerIdentity worker;
    private final Upstream upstream = new Upstream();
    private final RequestMemory memory = new RequestMemory();
    private final Map<String, ProxySession> sessions = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    /** By the address at which they listen. */
    private final Map<InetAddress, ProxyListener> listeners = new HashMap<>();

    public ModelProxy(ProviderCatalog providers, ProgramRequests requests, WorkerIdentity worker) {
        this.providers = providers;
        this.requests = requests;
        this.worker = worker;
    }

    /**
     * Begins to serve an attempt.
     *
     * @param maxCostUsd the most that the attempt may cost in US dollars; null: the campaign's budget alone bounds it
     * @param gateway this machine's address at which the program reaches it; null: loopback
     * @throws dev.assay.activities.model.ModelException PROVIDER_AUTH or PROVIDER_REJECTED when this process cannot ask the provider
     * @throws IOException when no port can be listened on
     */
    public ProxySession open(
            ModelAccess models, CellAttempt attempt, @Nullable BigDecimal maxCostUsd, @Nullable InetAddress gateway)
            throws IOException {
        String url = "http://" + listener(gateway == null ? LOOPBACK : gateway).host();
        var _ = providers.access(models.provider(), null);
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = TOKEN_BEGIN + HexFormat.of().formatHex(bytes);
        ProxySession session = new ProxySession(
                this,
                token,
                url,
                new LedgeredClient.Request(attempt, worker.id()),
                models,
                key -> providers.access(models.provider(), key),
                maxCostUsd);
        sessions.put(token, session);
        return session;
    }

    /** Whether this process has the provider, and its key. */
    public boolean canAsk(ModelAccess models) {
        ProviderInfo provider = providers.infos().get(models.provider());
        return provider != null && provider.hasKey();
    }

    private synchronized ProxyListener listener(InetAddress address) throws IOException {
        ProxyListener listener = listeners.get(address);
        if (listener == null) {
            listener = new ProxyListener(this, address);
            listeners.put(address, listener);
        }
        return listener;
    }

    /** The ports on which it listens; empty: no attempt has needed it yet. */
    public synchronized Set<Integer> ports() {
        return listeners.values().stream().map(ProxyListener::port).collect(Collectors.toSet());
    }

    /** The running attempt whose token it is; null: none. */
    @Nullable
    ProxySession session(String token) {
        return sessions.get(token);
    }

    /** Ends a token. */
    void forget(String token) {
        sessions.remove(token);
    }

    ProgramRequests requests() {
        return requests;
    }

    Upstream upstream() {
        return upstream;
    }

    RequestMemory memory() {
        return memory;
    }

    /** Ends all requests. */
    @PreDestroy
    synchronized void close() throws IOException {
        for (ProxyListener listener : listeners.values()) {
            listener.close();
        }
        listeners.clear();
        upstream.close();
    }
}
