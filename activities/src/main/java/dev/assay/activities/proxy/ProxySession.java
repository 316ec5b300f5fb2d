package dev.assay.activities.proxy;

import dev.assay.activities.call.LedgeredClient;
import dev.assay.activities.call.ProgramRequests;
import dev.assay.activities.provider.ProviderAccess;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Measured;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The models of one attempt of a program, from its start to its end. Its token is good for nothing else. */
public final class ProxySession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProxySession.class);

    /** Requests at once. */
    private static final int AT_ONCE = 64;

    private static final Duration SOON = Duration.ofSeconds(1);

    /** The time that requests have to end after they were cut off. */
    private static final Duration TO_END = Duration.ofSeconds(5);

    private final ModelProxy proxy;
    private final String token;
    private final String url;
    private final LedgeredClient.Request by;
    private final ModelAccess models;
    private final Function<@Nullable String, ProviderAccess> provider;
    private final Semaphore slots = new Semaphore(AT_ONCE);
    private final AtomicInteger lastTurn = new AtomicInteger();
    private final AttemptSpend spend;
    private final ModelTurns turns = new ModelTurns();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Set<Thread> underWay = new HashSet<>();
    private boolean isEnded;
    private volatile boolean isOverBudget;

    /**
     * @param provider its address, and the value of a key of now: that of this name, or the first
     * @param url of the proxy as the program reaches it, without a version
     * @param maxCostUsd the most that the attempt may cost in US dollars; null: the campaign's budget alone bounds it
     */
    ProxySession(
            ModelProxy proxy,
            String token,
            String url,
            LedgeredClient.Request by,
            ModelAccess models,
            Function<@Nullable String, ProviderAccess> provider,
            @Nullable BigDecimal maxCostUsd) {
        this.proxy = proxy;
        this.token = token;
        this.url = url;
        this.by = by;
        this.models = models;
        this.provider = provider;
        this.spend = new AttemptSpend(maxCostUsd);
    }

    /** Variables by which the program finds its models, under the names that its provider's clients read. */
    public Map<String, String> variables() {
        // Anthropic's clients add the version themselves.
        return type() == ProviderType.ANTHROPIC
                ? Map.of("ANTHROPIC_BASE_URL", url, "ANTHROPIC_API_KEY", token)
                : Map.of("OPENAI_BASE_URL", url + "/v1", "OPENAI_API_KEY", token);
    }

    ProviderType type() {
        return provider().settings().type();
    }

    private ProviderAccess provider() {
        return provider(null);
    }

    /**
     * The provider with the key of now: a request asks once.
     *
     * @param key its name; null: the first, if it needs one
     */
    ProviderAccess provider(@Nullable String key) {
        return provider.apply(key);
    }

    /** Names of the models that may be asked, in the order of the campaign. */
    List<String> allowed() {
        return models.allow();
    }

    ProgramRequests requests() {
        return proxy.requests();
    }

    AttemptSpend spend() {
        return spend;
    }

    ModelTurns turns() {
        return turns;
    }

    RequestRewriting.Terms terms() {
        Integer maxTokens = models.maxTokens();
        ProviderSettings settings = provider().settings();
        String host = String.valueOf(URI.create(settings.apiUrl()).getHost());
        return new RequestRewriting.Terms(
                Set.copyOf(models.allow()),
                maxTokens == null ? settings.maxOutputTokens() : maxTokens,
                host.toLowerCase(Locale.ROOT).endsWith(".openai.com"));
    }

    /** The row of the next request. */
    ProgramRequests.Asked asked(String model, @Nullable BigDecimal worstCase, RequestSize size) {
        return new ProgramRequests.Asked(
                by, lastTurn.incrementAndGet(), provider().settings().name(), model, worstCase, size);
    }

    /** Notes that the campaign's budget did not cover a request. */
    void overBudget() {
        isOverBudget = true;
    }

    /** The work of one request. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException, RefusedException, InterruptedException;
    }

    /**
     * Runs {@code work} as one of the requests under way. The end of the attempt interrupts it.
     *
     * @throws RefusedException when the attempt has ended, or too many are under way
     */
    void run(Work work) throws IOException, RefusedException, InterruptedException {
        enter();
        try {
            work.run();
        } finally {
            leave();
        }
    }

    private void enter() throws RefusedException {
        lock.lock();
        try {
            if (isEnded) {
                throw RefusedException.unauthorized();
            }
            if (!slots.tryAcquire()) {
                throw RefusedException.held("The attempt has " + AT_ONCE + " requests under way.", SOON);
            }
            underWay.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    private void leave() {
        lock.lock();
        try {
            underWay.remove(Thread.currentThread());
            // An interrupt that came too late must not hit what the thread does next.
            Thread.interrupted();
            slots.release();
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the token, cuts off the requests under way, and waits until they are settled. Without effect when that was done. */
    public void end() {
        proxy.forget(token);
        lock.lock();
        try {
            isEnded = true;
            underWay.forEach(Thread::interrupt);
            boolean interrupted = Thread.interrupted();
            long left = TO_END.toNanos();
            while (!underWay.isEmpty() && left > 0) {
                try {
                    left = ended.awaitNanos(left);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (!underWay.isEmpty()) {
                LOG.warn("{} requests of a program did not end in time", underWay.size());
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The sum of its requests. */
    public ModelTotals totals() {
        Measured answered = spend.answered();
        List<String> warnings = new ArrayList<>();
        if (spend.refused() > 0) {
            warnings.add(
                    "%d requests of the program to its models were refused: they could have cost more than `maxCostUsd`."
                            .formatted(spend.refused()));
        }
        if (turns.left() > 0) {
            warnings.add("The trace leaves out %d requests of the program to its models.".formatted(turns.left()));
        }
        return new ModelTotals(answered.usage(), answered.costUsd(), turns.all(), warnings, isOverBudget);
    }

    @Override
    public void close() {
        end();
    }
}
