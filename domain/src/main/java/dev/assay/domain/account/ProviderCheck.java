package dev.assay.domain.account;

import dev.assay.domain.account.CampaignAccount.ProviderStanding;
import dev.assay.domain.account.CampaignAccount.ProviderState;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.Retry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Judges the providers of a campaign by the facts of its health, so that both say the same. */
public final class ProviderCheck {

    /**
     * The calls of one branch or judge.
     *
     * @param pool whose permits they take: a provider, or a host of systems under test
     * @param provider on whose task queue they run
     * @param models the model that is asked
     * @param open cells that are still to be asked there; 0 for judges
     */
    public record Asked(String pool, String provider, String models, long open) {}

    private final HealthFacts facts;

    private ProviderCheck(HealthFacts facts) {
        this.facts = facts;
    }

    /** The standing of each provider, in the order in which they are asked. */
    public static List<ProviderStanding> of(List<Asked> asked, HealthFacts facts) {
        ProviderCheck check = new ProviderCheck(facts);
        Map<String, List<Asked>> pools = new LinkedHashMap<>();
        asked.forEach(
                one -> pools.computeIfAbsent(one.pool(), _ -> new ArrayList<>()).add(one));
        return pools.values().stream().map(check::standing).toList();
    }

    /** Of these, the cells that wait for a provider that does not answer, or has no key. */
    static long away(List<ProviderStanding> providers) {
        return providers.stream()
                .filter(one -> one.state() == ProviderState.DOWN || one.state() == ProviderState.NO_KEY)
                .mapToLong(ProviderStanding::held)
                .sum();
    }

    private ProviderStanding standing(List<Asked> calls) {
        Asked first = calls.getFirst();
        ProviderState state = hasNoKey(first)
                ? ProviderState.NO_KEY
                : calls.stream().anyMatch(this::isDown)
                        ? ProviderState.DOWN
                        : limits(first) ? ProviderState.LIMITED : ProviderState.OK;
        return new ProviderStanding(first.pool(), state, facts.state().ended() ? 0 : held(state, calls));
    }

    private long held(ProviderState state, List<Asked> calls) {
        return switch (state) {
            case OK -> 0;
            case LIMITED -> facts.cells().waitingFor(calls.getFirst().pool()) + refused(calls.getFirst());
            case DOWN -> open(calls.stream().filter(this::isDown).toList());
            case NO_KEY -> open(calls);
        };
    }

    private static long open(List<Asked> calls) {
        return calls.stream().mapToLong(Asked::open).sum();
    }

    /** While no worker is alive nobody knows of a key that is missing. */
    private boolean hasNoKey(Asked asked) {
        return (facts.workers().live() > 0 && facts.workers().missing().contains(asked.provider()))
                || facts.outages().refused().stream()
                        .anyMatch(key -> key.provider().equals(asked.pool())
                                && !key.left().goesOn());
    }

    private boolean isDown(Asked asked) {
        return facts.outages().down().stream()
                .anyMatch(down -> down.workers() == 0
                        && down.provider().equals(asked.pool())
                        && down.models().equals(asked.models()));
    }

    private boolean limits(Asked asked) {
        String pool = asked.pool();
        return refused(asked) > 0
                || facts.cells().blocked().stream()
                        .anyMatch(one -> one.provider().equals(pool))
                || facts.cells().limits().stream()
                        .anyMatch(one -> one.provider().equals(pool))
                || facts.cells().forPermit().stream()
                        .filter(one -> one.provider().equals(pool))
                        .anyMatch(Pool::full);
    }

    /** Cells that it refused for now, and that are tried again. */
    private long refused(Asked asked) {
        return facts.retries().stream()
                .filter(retry -> retry.code() == ErrorCode.PROVIDER_RATE_LIMITED)
                .filter(retry -> retry.provider().equals(asked.provider()))
                .mapToLong(Retry::cells)
                .sum();
    }
}
