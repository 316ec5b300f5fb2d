package dev.assay.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.client.RemoteCampaign.Progress;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.EtaReason;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.json.Json;
import dev.assay.domain.rendering.Numbers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private static final Instant NOW = Instant.parse("2026-11-26T09:00:00Z");

    private static RemoteCampaign view(Progress progress, @Nullable String cost) {
        ObjectNode json = Json.mapper().createObjectNode();
        json.put("id", "c-1").put("name", "capitals").put("state", CampaignState.RUNNING.name());
        json.set("progress", Json.mapper().valueToTree(progress));
        json.put("costUsd", cost == null ? null : new BigDecimal(cost));
        json.put("createdAt", Instant.EPOCH.toString());
        return Json.read(json.toString(), RemoteCampaign.class);
    }

    @Test
    void shouldShowBarCountsRateCostAndTimeLeftWhenHalfWay() {
        RemoteCampaign half = accounted(AccountSample.running(NOW.plusSeconds(120), null));
        assertThat(ProgressLine.line(half, NOW))
                .isEqualTo("[##########----------] 200/400 cells  passed 75.0 %  cost $0.50  ETA 2m00s");
        assertThat(ProgressLine.line(half, NOW.plusSeconds(200)))
                .as("the server's clock is another, or it takes longer")
                .endsWith("ETA 0s");
    }

    private static RemoteCampaign accounted(CampaignAccount account) {
        ObjectNode json = (ObjectNode) Json.mapper().valueToTree(view(new Progress(400, 200, 150, 200, 90), "0.5"));
        json.set("account", Json.mapper().valueToTree(account));
        return Json.read(json.toString(), RemoteCampaign.class);
    }

    @Test
    void shouldSayWhyNoEndIsKnownAndWhatGaveNoResult() {
        assertThat(ProgressLine.line(accounted(AccountSample.running(null, EtaReason.TOO_FEW_DONE)), NOW))
                .endsWith("ETA – (too few done)");
        assertThat(ProgressLine.line(accounted(AccountSample.skipped()), NOW))
                .contains("passed 75.0 %  skipped 150  errors 3  cost $0.50");
    }

    @Test
    void shouldSayWithWhomCellsAreOutAndAboutWhenTheyAreDone() {
        Instant end = NOW.plusSeconds(5 * 3600);
        ObjectNode account = (ObjectNode) Json.mapper().valueToTree(AccountSample.running(end, null));
        ((ObjectNode) account.get("cells")).put("out", 200);
        account.putArray("outWith")
                .addObject()
                .put("provider", "openai")
                .put("batches", 1)
                .put("cells", 200)
                .put("answered", 120);

        assertThat(ProgressLine.line(accounted(Json.read(account.toString(), CampaignAccount.class)), NOW))
                .contains("200 out with openai (1 batch, 120 answered)")
                .endsWith("done about "
                        + LocalTime.ofInstant(end, ZoneId.systemDefault()).truncatedTo(ChronoUnit.MINUTES));
    }

    @Test
    void shouldReadAServerThatSaysNothingOfBatches() {
        ObjectNode account = (ObjectNode) Json.mapper().valueToTree(AccountSample.running(NOW, null));
        account.remove("outWith");

        assertThat(Json.read(account.toString(), CampaignAccount.class).outWith())
                .isEmpty();
    }

    @Test
    void shouldClaimNothingWhenNothingIsKnown() {
        assertThat(ProgressLine.line(view(new Progress(0, 0, 0, 0, 0), null), NOW))
                .isEqualTo("[--------------------] 0/0 cells  passed –  cost –  done");
        assertThat(ProgressLine.line(view(new Progress(4, 0, 0, 2, 0), null), NOW))
                .endsWith("ETA –");
        assertThat(ProgressLine.line(view(new Progress(4, 4, 1, 2, 1), null), NOW))
                .endsWith("choosing winners");
    }

    @Test
    void shouldPrintALineEveryTenSecondsWhenThereIsNoTerminal() {
        StringWriter text = new StringWriter();
        ProgressPrinter printer = new ProgressPrinter(new PrintWriter(text, true), "");
        for (int halves = 0; halves <= 45; halves++) {
            printer.show(view(new Progress(100, halves, 0, 100, 0), null), Duration.ofMillis(500L * halves));
        }
        printer.end(view(new Progress(100, 100, 0, 100, 100), null));
        List<String> lines = text.toString().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getLast()).contains("100/100 cells");
        assertThat(text.toString()).doesNotContain("\r");
    }

    private static RemoteCampaign waiting(CampaignHealth.Code code, String message) {
        ObjectNode json = (ObjectNode) Json.mapper().valueToTree(view(new Progress(10, 1, 0, 10, 1), null));
        json.set(
                "health",
                Json.mapper()
                        .valueToTree(new CampaignHealth(
                                CampaignHealth.Status.WAITING,
                                List.of(new CampaignHealth.Reason(code, message, 9L, null)))));
        return Json.read(json.toString(), RemoteCampaign.class);
    }

    @Test
    void shouldSayOnceWhatTheCampaignWaitsFor() {
        StringWriter text = new StringWriter();
        ProgressPrinter printer = new ProgressPrinter(new PrintWriter(text, true), "");
        printer.show(waiting(CampaignHealth.Code.RATE_LIMIT, "Too fast."), Duration.ofMillis(100));
        printer.show(waiting(CampaignHealth.Code.RATE_LIMIT, "Too fast."), Duration.ofMillis(200));
        printer.show(waiting(CampaignHealth.Code.NO_WORKER, "Nobody."), Duration.ofMillis(300));

        assertThat(text.toString().lines()).containsExactly("Waiting: Too fast. 9 cells.", "Waiting: Nobody. 9 cells.");
    }

    @Test
    void shouldSayWhenTheFirstCellGoesOn() {
        Instant now = Instant.EPOCH;
        CampaignHealth.Reason reason = new CampaignHealth.Reason(
                CampaignHealth.Code.RATE_LIMIT, "Provider openai limits the rate (429).", 12L, now.plusMillis(27_100));

        assertThat(HealthText.lines(new CampaignHealth(CampaignHealth.Status.OK, List.of(reason)), now))
                .containsExactly("Note: Provider openai limits the rate (429). 12 cells, the first goes on in 28s.");
        assertThat(HealthText.line(CampaignHealth.Status.STALLED, reason, now.plusSeconds(60)))
                .startsWith("Stalled: ")
                .endsWith("12 cells, the first goes on now.");
        assertThat(HealthText.lines(null, now)).isEmpty();
    }

    @Test
    void shouldRoundForPeopleWhenShowingNumbers() {
        assertThat(Numbers.cost(null)).isEqualTo("–");
        assertThat(Numbers.cost(new BigDecimal("12.345"))).isEqualTo("$12.35");
        assertThat(Numbers.cost(new BigDecimal("0.0001234"))).isEqualTo("$0.00012");
        assertThat(Numbers.cost(BigDecimal.ZERO)).isEqualTo("$0.00");
        assertThat(Numbers.millis(999L)).isEqualTo("999 ms");
        assertThat(Numbers.millis(12_345L)).isEqualTo("12.3 s");
        assertThat(Numbers.duration(Duration.ofSeconds(59))).isEqualTo("59s");
        assertThat(Numbers.duration(Duration.ofSeconds(3_661))).isEqualTo("1h01m");
        assertThat(Numbers.count(1_234_567)).isEqualTo("1,234,567");
    }
}
