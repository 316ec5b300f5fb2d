package dev.assay.activities.proxy;

import dev.assay.activities.call.ProgramRequests;
import dev.assay.activities.call.ProgramRequests.Charged;
import dev.assay.activities.call.ProgramRequests.End;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderAccess;
import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.activities.provider.wire.ProviderFailures;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.trace.ModelTurn;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import dev.assay.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request of a program on its way to a provider, and the answer on its way back. */
final class ProxiedRequest {

    private static final Logger LOG = LoggerFactory.getLogger(ProxiedRequest.class);

    private static final Duration SOON = Duration.ofSeconds(5);

    private static final Failure CUT_OFF =
            new Failure(ErrorCode.CANCELLED, "The request was cut off: its attempt has ended.");

    private static final Failure PROGRAM_GONE =
            new Failure(ErrorCode.CANCELLED, "The program closed the connection before the answer was complete.");

    private final ProxySession session;
    private ProviderAccess provider;
    private final Route route;
    private final RequestHead head;
    private final ClientOutput output;
    private ProviderFailures failures;

    private int status;
    private boolean isPassedWhole;
    private byte[] answer = {};

    ProxiedRequest(ProxySession session, Route route, RequestHead head, ClientOutput output) {
        this.session = session;
        this.route = route;
        this.head = head;
        this.output = output;
        this.provider = session.provider(null);
        this.failures = new ProviderFailures(provider.settings(), provider.key());
    }

    /**
     * Sends the request within money and limits, and passes the answer on.
     *
     * @return whether the whole answer was passed on; if not, the program is to see a broken connection
     * @throws RefusedException when it was not sent, or there is no answer that could be passed on
     */
    boolean send(Upstream upstream, byte[] body) throws RefusedException, InterruptedException {
        SentRequest sent = RequestRewriting.of(route, body, session.terms());
        HttpRequest.Builder request = Upstream.request(provider, route, head, sent.body());
        BigDecimal worstCase = worstCase(sent);
        session.spend().reserve(worstCase, ProgramRequests.PATIENCE);
        BigDecimal cost = null;
        try {
            ProgramRequests.Asked asked = session.asked(sent.model(), worstCase, size(sent));
            Charged charged = charged(upstream, asked, request);
            cost = charged.usd();
            note(asked, sent, charged.end());
            if (status == 0) {
                throw RefusedException.badGateway("The provider gave no answer.");
            }
        } finally {
            session.spend().settle(worstCase, cost);
        }
        return isPassedWhole;
    }

    private @Nullable BigDecimal worstCase(SentRequest sent) {
        if (route == Route.COUNT_TOKENS) {
            return BigDecimal.ZERO;
        }
        Price price = provider.settings().price(sent.model());
        return price == null ? null : price.costUsd(TokenEstimate.ofBytes(sent.body().length), sent.outputTokens());
    }

    /** A count of tokens spends a request and no tokens. */
    private RequestSize size(SentRequest sent) {
        return route == Route.COUNT_TOKENS
                ? new RequestSize(0, 0, 0, 0)
                : new RequestSize(sent.body().length, 1, 0, sent.outputTokens());
    }

    private Charged charged(Upstream upstream, ProgramRequests.Asked asked, HttpRequest.Builder request)
            throws RefusedException, InterruptedException {
        try {
            Optional<Charged> charged =
                    session.requests().send(asked, key -> exchange(upstream, asked.model(), key, request));
            return charged.orElseThrow(() -> RefusedException.held(
                    "The limits of the provider or of the campaign hold the request up.", ProgramRequests.PATIENCE));
        } catch (ModelException e) {
            if (e.failure().code() == ErrorCode.BUDGET_EXCEEDED) {
                session.overBudget();
                throw RefusedException.spent(e.failure().message());
            }
            throw RefusedException.unauthorized();
        } catch (StoreException e) {
            LOG.warn("A request of a program could not be written into the ledger, and is not sent", e);
            throw RefusedException.unavailable("The ledger takes no request now.", SOON);
        }
    }

    private End exchange(Upstream upstream, String model, @Nullable String key, HttpRequest.Builder asked) {
        provider = session.provider(key);
        failures = new ProviderFailures(provider.settings(), provider.key());
        HttpRequest request = Upstream.keyed(asked, provider);
        long began = System.nanoTime();
        HttpResponse<InputStream> response;
        try {
            response = upstream.send(request);
        } catch (IOException e) {
            return new End(null, failures.ofLostConnection(e).failure(), false);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new End(null, CUT_OFF, true);
        }
        status = response.statusCode();
        AnswerUsage usage = new AnswerUsage(route);
        Failure failure = passed(response, usage);
        Duration latency = Duration.ofNanos(System.nanoTime() - began);
        if (status / 100 != 2) {
            ModelException refused = refusal(response);
            return new End(null, refused.failure(), false, refused.sign().refusal());
        }
        boolean isKnown = failure == null || usage.isComplete();
        return new End(measured(model, isKnown ? usage.usage() : Usage.UNKNOWN, latency), failure, true);
    }

    /** Passes the answer on; null: all of it. */
    private @Nullable Failure passed(HttpResponse<InputStream> response, AnswerUsage usage) {
        ApiKey key = provider.key();
        KeyFilter filter = new KeyFilter(key == null ? new byte[0] : key.value().getBytes(StandardCharsets.US_ASCII));
        PassedAnswer passed = new PassedAnswer(response.body(), filter, output, ModelTurns.MAX_MESSAGE);
        try (InputStream _ = response.body()) {
            if (!Upstream.isPlain(response)) {
                throw new IOException("It is compressed, which nobody asked for");
            }
            output.begin(status, Upstream.passed(provider, response), head.isLatest(), head.staysOpen());
            if (status / 100 != 2) {
                passed.transferTo(OutputStream.nullOutputStream());
            } else if (Upstream.isStream(response)) {
                usage.events(passed);
            } else {
                usage.whole(passed);
            }
            output.end();
            isPassedWhole = true;
            return null;
        } catch (PassedAnswer.ProgramGoneException _) {
            return Thread.currentThread().isInterrupted() ? CUT_OFF : PROGRAM_GONE;
        } catch (IOException e) {
            return Thread.currentThread().isInterrupted()
                    ? CUT_OFF
                    : failures.ofLostConnection(e).failure();
        } finally {
            answer = passed.kept();
        }
    }

    private ModelException refusal(HttpResponse<InputStream> response) {
        return failures.ofStatus(
                status, AnswerHeaders.ofLists(response.headers().map()), new String(answer, StandardCharsets.UTF_8));
    }

    private Measured measured(String model, Usage usage, Duration latency) {
        if (route == Route.COUNT_TOKENS) {
            return new Measured(Usage.NONE, BigDecimal.ZERO, latency);
        }
        Price price = provider.settings().price(model);
        Usage known = usage.ofAnswer();
        return new Measured(known, price == null ? null : price.costUsd(known), latency);
    }

    private void note(ProgramRequests.Asked asked, SentRequest sent, End end) {
        Measured measured = end.measured();
        if (measured != null) {
            session.spend().answered(measured);
        }
        session.turns()
                .add(
                        new ModelTurn(
                                asked.turn(),
                                asked.model(),
                                status,
                                measured == null ? Duration.ZERO : measured.latency(),
                                measured == null ? Usage.NONE : measured.usage(),
                                measured == null ? null : measured.costUsd(),
                                null),
                        sent.body(),
                        answer);
    }
}
