package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.web.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CampaignLauncherTest {

    @Test
    void shouldWakeCampaignWhoseWorkflowEndsAtThatMoment() {
        try (ServerFixture server = ServerFixture.start()) {
            server.get(CampaignRepository.class).create("brief", new SampleCampaign("brief", 2, 1, 2).submission());
            StoredCampaign campaign =
                    server.get(CampaignRepository.class).find("brief").orElseThrow();
            CampaignLauncher launcher = server.get(CampaignLauncher.class);

            // The workflow ends as soon as it is woken, at about the time of the next wake.
            assertThatCode(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            launcher.wake(campaign, "again");
                        }
                    })
                    .doesNotThrowAnyException();
        }
    }
}
