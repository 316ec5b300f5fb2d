package dev.assay.cli.crash;

import dev.assay.cli.testing.Api;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Asks for a campaign again and again while processes die: an answer is the campaign or a problem document, and comes soon. */
final class ApiProbe implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(200);
    /** The server gives up after 5 s; the rest is for a machine that also starts JVMs. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(15);

    private final Api api;
    private final BooleanSupplier frozen;
    private final String path;
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Begins to ask.
     *
     * @param frozen whether a process stands still: a request that a frozen PostgreSQL has waits for it
     */
    ApiProbe(Api api, String campaignId, BooleanSupplier frozen) {
        this.api = api;
        this.frozen = frozen;
        this.path = "/api/v1/campaigns/" + campaignId;
        this.thread = Thread.ofPlatform().daemon().name("probe").start(this::ask);
    }

    private void ask() {
        try {
            while (!closing) {
                askOnce();
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void askOnce() throws InterruptedException {
        try {
            HttpResponse<String> response = api.send(path, LONGEST_ANSWER);
            statuses.merge(response.statusCode(), 1, Integer::sum);
            boolean problem =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("application/problem+json");
            if (response.statusCode() != 200 && !(response.statusCode() == 503 && problem)) {
                faults.add(response.statusCode() + " " + response.body());
            }
        } catch (HttpTimeoutException e) {
            if (frozen.getAsBoolean()) {
                statuses.merge(0, 1, Integer::sum);
            } else {
                faults.add("No answer in " + LONGEST_ANSWER);
            }
        } catch (IOException e) {
            // The server itself was killed.
            statuses.merge(0, 1, Integer::sum);
        }
    }

    /** How often each status was seen; 0: nobody listened, or stood still. */
    Map<Integer, Integer> statuses() {
        return statuses;
    }

    /** Answers that were neither the campaign nor 503 with a problem document, and those that never came. */
    List<String> faults() {
        return faults;
    }

    @Override
    public void close() throws InterruptedException {
        closing = true;
        if (!thread.join(LONGEST_ANSWER.multipliedBy(2))) {
            throw new AssertionError("The probe did not end");
        }
    }
}
