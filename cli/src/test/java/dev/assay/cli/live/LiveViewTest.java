package dev.assay.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.client.RemoteCampaign;
import java.time.Instant;
import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveViewTest {

    private static final RemoteCampaign PLAIN =
            LiveSample.campaign("capitals", LiveSample.account(2, "small-", "It took too long."));

    private static List<String> lines(RemoteCampaign campaign, int columns, int rows) {
        return new LiveView(Instant.EPOCH, columns).lines(List.of(campaign), rows);
    }

    @Test
    void shouldShowTheWholeCampaignWhenThereIsRoom() {
        assertThat(lines(PLAIN, 120, 24))
                .containsExactly(
                        "RUNNING  capitals  c-1",
                        "[########------------]  1,204/3,000 cells  passed 91.2 %  errors 4  cost $0.02  ETA – (too"
                                + " few done)",
                        "18 in flight  20 allowed  12.3 cells a second  5 to be tried again",
                        "Waiting: Provider openai limits the rate: It took too long. 20 cells.",
                        "PROVIDER_TIMEOUT: 3 cells, 5 to be tried again: It took too long.",
                        "PROVIDER_AUTH: 1 cell: The key was refused.",
                        "Branch    Done   Passed      Interval      Errors    Cost",
                        "small-0    602      549   88.7–93.1 %   2 TIMEOUT   $0.01",
                        "small-1    602      549   88.7–93.1 %   2 TIMEOUT   $0.01");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 12, 20, 40, 66, 80, 200})
    void shouldFitWhenATerminalIsNarrowAndTextsAreHostile(int columns) {
        RemoteCampaign hostile = LiveSample.campaign(
                LiveSample.HOSTILE,
                LiveSample.account(30, LiveSample.HOSTILE + "日".repeat(40), LiveSample.HOSTILE.repeat(50)));
        for (int rows : List.of(1, 2, 5, 10, 24, 100)) {
            List<String> lines = lines(hostile, columns, rows);
            assertThat(lines).as("%d rows", rows).hasSizeLessThan(Math.max(2, rows));
            assertThat(lines).allSatisfy(line -> {
                assertThat(new AttributedString(line).columnLength()).isLessThanOrEqualTo(Math.max(1, columns - 1));
                assertThat(line.codePoints()).noneMatch(Character::isISOControl).noneMatch(point -> point == 0x202E);
            });
        }
    }

    @Test
    void shouldBreakNoWordAndShortenNamesWhenATerminalIsNarrow() {
        RemoteCampaign campaign = LiveSample.campaign(
                "capitals", LiveSample.account(2, "a-branch-with-a-long-name-", "It took too long."));

        assertThat(lines(campaign, 60, 24)).anyMatch(line -> line.startsWith("a-branch-wit") && line.contains("…"));
        List<String> narrow = lines(campaign, 40, 40);
        assertThat(narrow).contains("[########------------]", "1,204/3,000 cells  passed 91.2 %");
        assertThat(String.join(" ", narrow)).contains("Interval 88.7–93.1 %", "Waiting: Provider openai limits the");
    }

    @Test
    void shouldGiveEachCampaignItsShareWhenThereAreSeveral() {
        List<String> lines = new LiveView(Instant.EPOCH, 80).lines(List.of(PLAIN, PLAIN, PLAIN, PLAIN), 13);
        assertThat(lines).hasSize(12);
        assertThat(lines.stream().filter(line -> line.startsWith("RUNNING"))).hasSize(4);
    }

    @Test
    void shouldSayThatThereIsMoreWhenRowsAreFew() {
        RemoteCampaign campaign =
                LiveSample.campaign("capitals", LiveSample.account(50, "small-", "It took too long."));
        assertThat(lines(campaign, 120, 12)).hasSize(11).last().isEqualTo("… and more branches");
    }
}
