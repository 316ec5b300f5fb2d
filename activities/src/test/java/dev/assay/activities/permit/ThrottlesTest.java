package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What answers teach a worker that asks a provider with two accounts. */
class ThrottlesTest {

    private static final ModelPool GROUP = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt");
    private static final ModelPool MAIN = GROUP.ofAccount("main");
    private static final ModelPool SECOND = GROUP.ofAccount("second");
    private static final CallRoute ROUTE =
            new CallRoute("openai", null, null, new BoundedCalls(GROUP, ConcurrencyRange.upTo(20), true));

    private static final Accounts TWO = new Accounts() {
        @Override
        public List<String> usable(String provider, Set<String> without) {
            return List.of(MAIN.account(), SECOND.account());
        }

        @Override
        public String next(String provider, Collection<String> among) {
            return among.iterator().next();
        }
    };

    private final LeasedPermits permits = new LeasedPermits(System::nanoTime, TWO);

    private void hear(String account) throws InterruptedException {
        permits.allow(PermitPool.provider("openai"), 1);
        try (Permits.Permit permit = permits.acquire(ROUTE, Units.NONE, false, 0, Duration.ofSeconds(5))
                .orElseThrow()) {
            permit.bears(account);
            permit.heard(new AnswerHeaders(
                    Map.of("x-ratelimit-limit-req-minute", "100", "x-ratelimit-remaining-req-minute", "60")));
        }
    }

    @Test
    void shouldTellALimitOfTheAccountWhoseKeyTheRequestBore() throws InterruptedException {
        hear(SECOND.account());

        Map<ModelPool, ThrottleReport> reports = permits.throttles().reports();

        ThrottleReport.Learned learned = new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, 100, 40);
        assertThat(reports)
                .isEqualTo(Map.of(
                        GROUP,
                        ThrottleReport.NONE,
                        MAIN,
                        ThrottleReport.NONE,
                        SECOND,
                        new ThrottleReport(List.of(), null, false, List.of(learned))));

        permits.throttles().unheard(reports);
        assertThat(permits.throttles().reports()).isEqualTo(reports);
    }

    @Test
    void shouldSpendUnitsAsSoonAsOneAccountHasLimits() throws InterruptedException {
        hear(SECOND.account());
        Set<ModelPool> asked = permits.throttles().reports().keySet();

        permits.throttles().heard(asked, new ThrottleRepository.Known(Map.of(), Set.of(SECOND)));

        try (Permits.Place place = permits.enter("c", ROUTE, false, 0)) {
            assertThat(place.isLimited()).isTrue();
        }
    }

    /** Otherwise each cell that begins or ends would ask PostgreSQL how the pool stands. */
    @Test
    void shouldHaveNewsWhenItBeginsToAskAPoolAndWhenItIsRefusedAndAtNoOtherCell() throws InterruptedException {
        permits.allow(PermitPool.provider("openai"), 2);
        Throttles throttles = permits.throttles();
        try (Permits.Permit first = permits.acquire(ROUTE, Units.NONE, false, 0, Duration.ofSeconds(5))
                .orElseThrow()) {
            assertThat(throttles.takeNews()).isTrue();
            assertThat(throttles.takeNews()).isFalse();

            try (Permits.Permit second = permits.acquire(ROUTE, Units.NONE, false, 0, Duration.ofSeconds(5))
                    .orElseThrow()) {
                second.answered();
            }
            assertThat(throttles.takeNews()).isFalse();

            first.bears(MAIN.account());
            first.refused(new Refusal(Refusal.Kind.RATE, List.of(), Duration.ofSeconds(60)));
            assertThat(throttles.takeNews()).isTrue();
        }
    }
}
