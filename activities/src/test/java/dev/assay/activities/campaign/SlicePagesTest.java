package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.store.SampleCampaign;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.workflows.campaign.PlanActivities.SlicePlan;
import dev.assay.workflows.slice.BatchRule;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.SliceSizing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cut of campaigns into slices, from PostgreSQL. */
final class SlicePagesTest {

    private static final int MOST_PAYLOAD_BYTES = 16 * 1024;

    private static StoreFixture store;

    @BeforeAll
    static void open() {
        store = StoreFixture.open();
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static StoredCampaign campaign(String id, SampleCampaign sample, String order, String caseSuffix) {
        String document =
                sample.document().put("order", order).toString().replace("\"case-", "\"case" + caseSuffix + "-");
        store.get(CampaignRepository.class)
                .create(id, CampaignReader.read(Json.tree(document), SampleCampaign.PROVIDERS));
        return store.get(CampaignRepository.class).find(id).orElseThrow();
    }

    private static SlicePages.Page page(StoredCampaign campaign, int from, Pace pace) {
        int cells = campaign.grid().size();
        SliceSizing sizing = SliceSizing.of(BatchRule.PACED, 1, cells, campaign.maxConcurrent(), pace);
        int trials = sizing.sliceTrials(cells - from);
        SlicePages.Page page = store.get(SlicePages.class)
                .page(
                        campaign,
                        store.get(OpenTrials.class).from(campaign, from, SlicePages.PAGE_SLICES * trials),
                        sizing,
                        trials,
                        pace.cells() > 0);
        assertThat(Json.write(page.slices()).getBytes(StandardCharsets.UTF_8).length)
                .as("bytes of a page")
                .isLessThan(MOST_PAYLOAD_BYTES);
        return page;
    }

    /** All slices, page by page; each trial is in one of them. */
    private static List<SlicePlan> all(StoredCampaign campaign, Pace pace) {
        List<SlicePlan> slices = new ArrayList<>();
        int end = campaign.grid().size();
        for (int next = 0; next < end; ) {
            SlicePages.Page page = page(campaign, next, pace);
            assertThat(page.next()).isGreaterThan(next);
            slices.addAll(page.slices());
            next = page.next();
        }
        assertThat(slices.stream()
                        .mapToInt(slice -> OrdinalRanges.size(slice.trials()))
                        .sum())
                .isEqualTo(end);
        assertThat(OrdinalRanges.normalize(slices.stream()
                        .flatMap(slice -> slice.trials().stream())
                        .toList()))
                .containsExactly(new OrdinalRange(0, end));
        return slices;
    }

    @ParameterizedTest
    @ValueSource(strings = {"given", "drawn"})
    void shouldDealTrialsToTheSlicesThatRunSideBySide(String order) {
        List<SlicePlan> slices =
                all(campaign("dealt-" + order, new SampleCampaign("dealt", 28, 1, 20), order, ""), Pace.UNKNOWN);

        assertThat(slices).hasSize(3);
        assertThat(slices)
                .extracting(slice -> slice.trials().getFirst())
                .containsExactly(new OrdinalRange(0, 10), new OrdinalRange(10, 20), new OrdinalRange(20, 30));
        assertThat(slices).allSatisfy(slice -> assertThat(slice.trials()).hasSizeBetween(18, 20));
    }

    @Test
    void shouldKeepSlicesTogetherOnAPageWhenTheirLabelsAreLong() {
        StoredCampaign campaign = campaign("long", new SampleCampaign("long", 28, 1, 15), "given", "x".repeat(90));
        SlicePages.Page first = page(campaign, 0, Pace.UNKNOWN);

        assertThat(all(campaign, Pace.UNKNOWN))
                .allSatisfy(slice -> assertThat(slice.labels()).isNotEmpty());
        assertThat(first.slices()).hasSize(3);
        assertThat(first.next()).isLessThanOrEqualTo(5 * 28);
    }

    @Test
    void shouldLabelTrialsByWhatStandsAtTheirPosition() {
        StoredCampaign campaign = campaign("labels", new SampleCampaign("labels", 10, 1, 2), "drawn", "");

        SlicePlan slice = page(campaign, 0, Pace.UNKNOWN).slices().getFirst();
        assertThat(slice.trials()).containsExactly(new OrdinalRange(0, 20));
        assertThat(slice.labels()).hasSize(20);
        assertThat(slice.labels().get(13)).isEqualTo("case-" + campaign.order().ordinal(13) % 10 + ", trial 2");
    }

    @Test
    @Tag("slow")
    void shouldPlanHalfAMillionTrialsInSmallPages() {
        StoredCampaign campaign = campaign("large", new SampleCampaign("large", 500, 1, 1_000), "drawn", "");

        assertThat(all(campaign, new Pace(1_000, 1_000))).hasSizeBetween(100, 2_000);
    }

    @Test
    void shouldFindWhatIsOpenBehindManyClosedTrials() {
        StoredCampaign campaign = campaign("behind", new SampleCampaign("behind", 500, 1, 100), "drawn", "");
        int[] open = IntStream.range(49_900, 50_000)
                .filter(position -> position % 7 == 0)
                .map(campaign.order()::ordinal)
                .toArray();
        store.execute("""
            INSERT INTO trial (campaign_id, ordinal, case_index, trial, epoch, complete, strategy, reason, fallback, decided, tied, votes)
            SELECT 'behind', o, o % 500, o / 500 + 1, 1, true, 'x', 'x', false, false, false, '[]' FROM generate_series(0, 49999) o
            WHERE NOT o = ANY (?)\
            """, (Object) open);

        OpenTrials.Open found = store.get(OpenTrials.class).from(campaign, 0, 100);
        assertThat(found.positions())
                .hasSize(open.length)
                .allMatch(range -> range.from() % 7 == 0 && range.size() == 1);
        assertThat(found.next()).isEqualTo(50_000);
    }
}
