package dev.assay.domain.health;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.health.HealthFacts.Cells;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.Workers;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The workers that have a lease, and what that means for one campaign. */
public record LiveWorkers(List<LiveWorker> all) {

    /** Workers renew their leases every 5 s. */
    private static final Duration LATE = Duration.ofSeconds(10);

    public LiveWorkers {
        all = List.copyOf(all);
    }

    /**
     * A worker, as it said when it started and seconds ago.
     *
     * @param providers whom it may ask
     * @param tools what its programs and tools may reach
     * @param load cells that it holds, of all campaigns
     * @param refusal why PostgreSQL refuses it rows of the campaign; null: it does not
     * @param sinceRenewal since it renewed its lease
     * @param makesBatches whether its build knows batches of providers
     */
    public record LiveWorker(
            List<String> queues,
            List<ProviderInfo> providers,
            ToolPolicy tools,
            List<WorkerLoad> load,
            @Nullable StoreRefusal refusal,
            Duration sinceRenewal,
            boolean makesBatches) {}

    /**
     * How many there are, and whom none of them can ask.
     *
     * @param queueOf the task queue of the calls to a provider
     * @param inBatches whether some of its cells may be asked in batches of providers
     */
    public Workers reaching(Collection<String> asked, UnaryOperator<String> queueOf, boolean inBatches) {
        return new Workers(
                all.size(),
                asked.stream()
                        .filter(provider ->
                                all.stream().noneMatch(worker -> worker.queues().contains(queueOf.apply(provider))))
                        .toList(),
                !all.isEmpty()
                        && all.stream().allMatch(worker -> worker.sinceRenewal().compareTo(LATE) > 0),
                inBatches
                        ? all.stream().filter(worker -> !worker.makesBatches()).count()
                        : 0);
    }

    /**
     * What the cells of a campaign do.
     *
     * @param open cells without a final outcome
     * @param maxConcurrent how many permits the campaign may have
     */
    public Cells cells(String campaignId, long open, int maxConcurrent) {
        List<WorkerLoad> loads =
                all.stream().map(LiveWorker::load).flatMap(Collection::stream).toList();
        List<WorkerLoad> own = loads.stream()
                .filter(load -> load.campaignId().equals(campaignId))
                .toList();
        List<Pool> pools = own.stream()
                .filter(load -> load.forPermit() > 0)
                .map(WorkerLoad::provider)
                .distinct()
                .map(provider -> new Pool(
                        provider,
                        sum(of(own, provider), WorkerLoad::forPermit),
                        sum(of(loads, provider), load -> load.calling() + load.forBudget()),
                        permits(provider)))
                .toList();
        return new Cells(open, sum(own, WorkerLoad::calling), maxConcurrent, pools, sum(own, WorkerLoad::forBudget));
    }

    private static List<WorkerLoad> of(List<WorkerLoad> loads, String provider) {
        return loads.stream().filter(load -> load.provider().equals(provider)).toList();
    }

    private static long sum(List<WorkerLoad> loads, ToIntFunction<WorkerLoad> count) {
        return loads.stream().mapToLong(count::applyAsInt).sum();
    }

    /**
     * Calls in flight that a provider, or a host of systems under test, allows, by the strictest worker. Null for those that are
     * part of Assay, which have no bound.
     */
    private @Nullable Integer permits(String provider) {
        return all.stream()
                .flatMap(worker -> Stream.concat(
                        worker.providers().stream()
                                .filter(info -> info.name().equals(provider))
                                .map(ProviderInfo::maxConcurrent),
                        hostOf(provider).stream().flatMap(host -> worker.tools().maxConcurrent(host).stream())))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The host that a pool of systems under test is named after; empty: it is none. */
    private static Optional<String> hostOf(String pool) {
        String before = Agent.PROVIDER_HTTP + "/";
        return pool.startsWith(before) ? Optional.of(pool.substring(before.length())) : Optional.empty();
    }

    /** Why PostgreSQL refuses rows of the campaign, as one of them says; null: none says so. */
    public @Nullable StoreRefusal refusal() {
        return all.stream()
                .map(LiveWorker::refusal)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
