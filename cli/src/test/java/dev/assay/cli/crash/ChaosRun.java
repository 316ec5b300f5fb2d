package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.Frozen;
import dev.assay.cli.testing.KeptProcess;
import dev.assay.cli.testing.UnreliableModel;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.server.Endpoints;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/**
 * One campaign under fire: trials of two branches and a judge, which is three calls each, while processes are killed, stopped and
 * frozen at random moments. At its end every cell has exactly one outcome, the counters say what the rows say, and requests were
 * repeated only by the processes that were killed or frozen while they called, at most those that each had in flight.
 */
final class ChaosRun {

    private static final int BRANCHES = 2;
    private static final int MAX_CONCURRENT = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(6);
    private static final Duration FROZEN = Duration.ofSeconds(60);
    /** What waited for it has its answer then. */
    private static final Duration THAWED = Duration.ofSeconds(15);

    /** Cells of one worker between their ledger row and their stored outcome. */
    private static final long IN_FLIGHT = MAX_CONCURRENT + Math.ceilDiv(MAX_CONCURRENT, 4);

    /** Kills come in the middle of the campaign: all of it is under way from 3 % to 90 % of the answers. */
    private static final double FIRST = 0.03;

    private static final double LAST = 0.90;

    private final Api api;
    private final UnreliableModel model;
    private final int trials;
    private final List<Target> targets = new ArrayList<>();
    /** Ids of the processes that were killed or frozen: others took over what they held. */
    private final Set<Long> struck = new HashSet<>();
    /** Until when a process stands still. */
    private volatile Instant thaw = Instant.EPOCH;

    private final long seed = Long.getLong("assay.chaos.seed", System.nanoTime() % 1_000_000);

    /** What is done to a process. */
    enum Fault {
        /** kill -9. */
        KILL,
        /** SIGTERM: it ends in good order. */
        TERMINATE,
        /** SIGSTOP, and SIGCONT a minute later: longer than every lease and time-out. */
        FREEZE,
        /** SIGTERM, and another build of Assay in its place. */
        EXCHANGE
    }

    /**
     * A process to strike.
     *
     * @param name for people
     * @param pid the process that runs now; fails while there is none
     * @param before what is done first
     */
    private record Target(Fault fault, String name, Callable<Long> pid, Runnable before) {

        boolean isExchange() {
            return fault == Fault.EXCHANGE;
        }
    }

    /** A campaign of some trials on the server of {@code api}. */
    ChaosRun(Api api, UnreliableModel model, int trials) {
        this.api = api;
        this.model = model;
        this.trials = trials;
    }

    /** Adds a process that somebody starts again when it ends, to be struck some times. */
    void may(Fault fault, String name, Callable<Long> pid, int times) {
        targets.addAll(Collections.nCopies(times, new Target(fault, name, pid, () -> {})));
    }

    /** Adds the exchange of a build by another. Exchanges keep the order in which they are added, as an upgrade has one. */
    void exchange(String name, KeptProcess process, ProcessBuilder next) {
        targets.add(new Target(Fault.EXCHANGE, name, process::pid, () -> process.replaceBy(next)));
    }

    void run(String engine) throws Exception {
        say("chaos on %s: -Dassay.chaos.seed=%d", engine, seed);
        Instant began = Instant.now();
        String id = api.submit(campaign());
        try (ApiProbe probe = new ApiProbe(api, id, () -> Instant.now().isBefore(thaw.plus(THAWED)))) {
            goThrough(id);
            Duration took = Duration.between(began, Instant.now());
            Map<Long, Long> repeated = assertEveryCellOnce(id);
            say(
                    "chaos on %s: %d faults, %d s, %d requests, repeated by process: %s, API answers by status: %s",
                    engine, targets.size(), took.toSeconds(), requests(), repeated, probe.statuses());
            assertThat(probe.faults()).as("answers of the API").isEmpty();
        }
    }

    private void goThrough(String id) throws Exception {
        try {
            strikeAll(id);
            await().atMost(PATIENCE).until(() -> Instant.now().isAfter(thaw));
            await().atMost(PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; the campaign: " + api.campaign(id), e);
        }
    }

    private void strikeAll(String id) throws Exception {
        Random random = new Random(seed);
        List<Target> order = order(random);
        int calls = trials * (BRANCHES + 1);
        int[] moments = random.ints(order.size(), (int) (FIRST * calls), (int) (LAST * calls))
                .sorted()
                .toArray();
        for (int i = 0; i < moments.length; i++) {
            int moment = moments[i];
            await().atMost(PATIENCE).until(() -> model.answered() >= moment);
            assertCountersEqualRows(id);
            strike(order.get(i));
        }
    }

    private List<Target> order(Random random) {
        List<Target> order = new ArrayList<>(targets);
        Collections.shuffle(order, random);
        Iterator<Target> exchanges = targets.stream().filter(Target::isExchange).iterator();
        order.replaceAll(target -> target.isExchange() ? exchanges.next() : target);
        return order;
    }

    private void assertCountersEqualRows(String id) {
        try (Tables tables = tables(id)) {
            tables.assertCountersEqualRows();
        } catch (SQLException e) {
            say("PostgreSQL is away: %s", e.getMessage());
        }
    }

    private Tables tables(String id) throws SQLException {
        // A server that stops in good order takes the file with it.
        Endpoints endpoints = await().atMost(PATIENCE)
                .until(api::endpoints, Optional::isPresent)
                .orElseThrow();
        return new Tables(DatabaseAddress.parse(endpoints.database()), id);
    }

    private void strike(Target target) throws Exception {
        await().atMost(PATIENCE)
                .until(() -> ProcessHandle.of(target.pid().call())
                        .filter(ProcessHandle::isAlive)
                        .isPresent());
        long pid = target.pid().call();
        say("%s  %s %s (%d) after %d answers", Instant.now(), target.fault(), target.name(), pid, model.answered());
        target.before().run();
        switch (target.fault()) {
            case KILL -> {
                struck.add(pid);
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            case TERMINATE, EXCHANGE -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
            case FREEZE -> {
                struck.add(pid);
                thaw = Instant.now().plus(FROZEN);
                Frozen.process(pid, FROZEN);
            }
        }
    }

    private Map<Long, Long> assertEveryCellOnce(String id) throws Exception {
        try (Tables tables = tables(id)) {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(trials * BRANCHES);
            assertThat(tables.count("SELECT count(*) FROM judge_call WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(trials);
            assertThat(tables.count("SELECT count(*) FROM trial WHERE campaign_id = ? AND complete AND decided"))
                    .isEqualTo(trials);
            tables.assertCountersEqualRows();
            assertProgress(id);
            Map<Long, Long> repeated = tables.repeatedRequests();
            assertThat(repeated.keySet())
                    .as("processes that repeated requests, among those that were killed or frozen")
                    .isSubsetOf(struck);
            assertThat(repeated.values())
                    .as("requests that were in flight when each was struck")
                    .allSatisfy(requests -> assertThat(requests).isLessThanOrEqualTo(IN_FLIGHT));
            assertModelSawNoMore(tables, sum(repeated));
            return repeated;
        }
    }

    private void assertProgress(String id) throws IOException, InterruptedException {
        JsonNode progress = api.campaign(id).path("progress");
        assertThat(progress.path("cellsTotal").asInt()).isEqualTo(trials * BRANCHES);
        assertThat(progress.path("cellsDone").asInt()).isEqualTo(trials * BRANCHES);
        assertThat(progress.path("cellsPassed").asInt()).isEqualTo(trials * BRANCHES);
        assertThat(progress.path("trialsDone").asInt()).isEqualTo(trials);
    }

    /** The ledger holds every request that the model saw, and the model answered no cell twice but those that it repeated. */
    private void assertModelSawNoMore(Tables tables, long repeated) throws Exception {
        long attempts = tables.count("""
            SELECT (SELECT sum(attempts) FROM outcome WHERE campaign_id = c.campaign_id)
                 + (SELECT sum(attempts) FROM judge_call WHERE campaign_id = c.campaign_id)
                 + (SELECT count(*) FROM ledger WHERE campaign_id = c.campaign_id AND no_attempt IN ('STOPPED', 'RATE'))
            FROM campaign c WHERE campaign_id = ?\
            """);
        assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND " + Tables.SENT))
                .as("requests in the ledger that were sent: one for each attempt, those that were given back, and"
                        + " refusals")
                .isEqualTo(attempts);
        assertThat(requests()).as("requests that the model saw").isLessThanOrEqualTo(attempts);
        assertThat(model.answers()).as("cells that the model answered").hasSize(trials * (BRANCHES + 1));
        assertThat(answers().map(answers -> answers - 1).sum())
                .as("answers beyond the first of each cell")
                .isLessThanOrEqualTo(repeated);
    }

    private LongStream answers() {
        return model.answers().values().stream().mapToLong(count -> count.get());
    }

    private long requests() {
        return model.requests().values().stream()
                .mapToLong(count -> count.get())
                .sum();
    }

    private static long sum(Map<Long, Long> repeated) {
        return repeated.values().stream().mapToLong(count -> count).sum();
    }

    private String campaign() {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < trials; i++) {
            cases.append("  - {id: q%d, prompt: '[q%d] Which answer?', checks: [{type: contains, value: Answer %d}]}%n"
                    .formatted(i, i, i));
        }
        return """
            name: chaos
            cases:
            %sbranches:
              - {id: a, provider: openai, model: unreliable-a}
              - {id: b, provider: openai, model: unreliable-b}
            strategy: {type: llm-judge, judge: {provider: openai, model: unreliable-judge, maxContextTokens: 4096}}
            limits: {maxConcurrent: %d}
            """.formatted(cases, MAX_CONCURRENT);
    }

    private static void say(String format, Object... arguments) {
        System.out.println(format.formatted(arguments));
    }
}
