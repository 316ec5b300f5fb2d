package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryReaderTest {

    private static final String TOOLS = "[{type: calculator}]";

    private static DeliveryWish wish(CampaignFile file) {
        return file.read().definition().branches().getFirst().delivery();
    }

    @Test
    void shouldAskLiveWhenNothingIsSaid() {
        assertThat(wish(CampaignFile.minimal())).isEqualTo(DeliveryWish.LIVE);
    }

    @ParameterizedTest
    @CsvSource({"6h, PT6H", "PT6H, PT6H", "10m, PT10M", "168h, PT168H", "7d, PT168H"})
    void shouldTakeWayAndDeadlineOfTheFileWhenTheBranchSaysNothing(String written, Duration read) {
        CampaignFile file = CampaignFile.minimal().with("/delivery", "batch").with("/deadline", written);

        assertThat(wish(file)).isEqualTo(new DeliveryWish(Delivery.BATCH, read));
    }

    @Test
    void shouldTakeTheBranchsOwnWayWhenItSaysOne() {
        CampaignFile file = CampaignFile.minimal()
                .with("/delivery", "batch")
                .with("/deadline", "6h")
                .with("/branches/0/delivery", "live");

        assertThat(wish(file)).isEqualTo(DeliveryWish.LIVE);
    }

    @ParameterizedTest
    @CsvSource({"9m", "169h", "-PT1H", "soon", "6"})
    void shouldNameTheRangeWhenTheDeadlineIsOutOfIt(String deadline) {
        CampaignFile file = CampaignFile.minimal().with("/delivery", "batch").with("/deadline", "\"" + deadline + "\"");

        assertThat(file.errors()).containsExactly("deadline: `deadline` must be a time from 10m to 168h, such as 6h.");
    }

    @Test
    void shouldAskForAWayWhenThereIsADeadlineAlone() {
        assertThat(CampaignFile.minimal().with("/deadline", "6h").errors())
                .containsExactly("deadline: `deadline` needs `delivery: batch` or `delivery: auto` beside it.");
    }

    @Test
    void shouldNameTheBranchWhenItCannotBeInABatch() {
        CampaignFile file = CampaignFile.minimal().with("/branches/0/tools", TOOLS);

        assertThat(file.with("/branches/0/delivery", "batch").errors())
                .singleElement()
                .asString()
                .startsWith("branches[0].delivery: `branches[0].delivery` is batch, but branch `")
                .contains("it has tools");
        assertThat(CampaignFile.minimal()
                        .with("/branches/0/tools", TOOLS)
                        .with("/delivery", "batch")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("delivery: `delivery` is batch");
    }

    @Test
    void shouldNameTheProviderWhenItHasNoBatches() {
        CampaignFile file =
                CampaignFile.minimal().with("/branches/0/provider", "anthropic").with("/branches/0/delivery", "batch");

        assertThat(file.errors())
                .singleElement()
                .asString()
                .startsWith(
                        "branches[0].delivery: Branch `small` is asked in batches, and provider anthropic has none");
    }

    @Test
    void shouldAskLiveWhenAutoCannotBeInABatch() {
        CampaignFile file =
                CampaignFile.minimal().with("/branches/0/tools", TOOLS).with("/delivery", "auto");

        assertThat(wish(file)).isEqualTo(DeliveryWish.LIVE);
    }
}
