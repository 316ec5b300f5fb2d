package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CampaignIdsTest {

    @ParameterizedTest
    @CsvSource({
        "capitals, capitals",
        "'  Capitals of the World! ', capitals-of-the-world",
        "'Größe & Straße', gro-e-stra-e",
        "首都, campaign",
        "'../etc/passwd', etc-passwd",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbb, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    })
    void shouldBeginWithSlugWhenNameIsGiven(String name, String slug) {
        assertThat(CampaignIds.next(name)).matches(slug + "-[0-9a-hjkmnp-tv-z]{8}");
    }

    @Test
    void shouldDifferWhenNameIsTheSame() {
        Random random = new Random(1);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            ids.add(CampaignIds.next("same", random));
        }
        assertThat(ids).hasSize(1_000);
    }
}
