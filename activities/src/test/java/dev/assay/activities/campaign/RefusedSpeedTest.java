package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.provider.ProviderQueries;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of a campaign beside another one whose rows are refused; {@code benchmarks/refusals/speed} runs it. */
@EnabledIfSystemProperty(named = "assay.refusals.speed", matches = "true")
final class RefusedSpeedTest {

    private static final int CELLS = 1_000;
    private static final int ROUNDS = 5;

    private static Engine engine;

    @BeforeAll
    static void start() {
        engine = new Engine(new ToolPolicy(List.of(), List.of()), Map.of());
        engine.store.execute("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF NEW.campaign_id LIKE 'refused%' THEN RAISE EXCEPTION 'planted' USING ERRCODE = TG_ARGV[0]; END IF;
              RETURN NEW; END $$\
            """);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static void submit(String name) {
        String cases = IntStream.range(0, CELLS)
                .mapToObj(i -> "  - {id: c%d, prompt: Tell me about %s %d}\n".formatted(i, name, i))
                .reduce("", String::concat);
        engine.submit(
                name,
                "name: %s\ncases:\n%sbranches: [{id: b, kind: scripted, script: {answers: [one], delayMs: 20}}]\nlimits: {maxConcurrent: 8}\n"
                        .formatted(name, cases),
                engine.store.get(ProviderQueries.class).required());
    }

    private static double seconds(String name) {
        long begin = System.nanoTime();
        submit(name);
        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Refused for good, for now, and in its first form only. By turns: beside another campaign that is stored, and that is not. */
    @ParameterizedTest
    @CsvSource({"42501, true", "53100, true", "54000, NEW.messages <> '[]'"})
    void shouldKeepNineTenthsOfItsRateBesideACampaignThatIsRefused(String state, String when) {
        double[] shares = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            String run = state + "-" + round;
            submit("stored-" + run);
            double stored = seconds("beside-stored-" + run);
            engine.awaitEnd("stored-" + run);
            engine.store.execute("CREATE TRIGGER refuse BEFORE INSERT ON outcome FOR EACH ROW WHEN (" + when
                    + ") EXECUTE FUNCTION refuse('" + state + "')");
            submit("refused-" + run);
            double refused = seconds("beside-refused-" + run);
            engine.store.execute("DROP TRIGGER refuse ON outcome");
            engine.await("refused-" + run, state.equals("42501") ? CampaignState.PAUSED : CampaignState.COMPLETED);
            shares[round] = stored / refused;
            System.out.printf(
                    "SPEED %s round %d: %.0f cells/s beside a stored campaign, %.0f beside a refused one%n",
                    state, round, CELLS / stored, CELLS / refused);
        }
        double median =
                Arrays.stream(shares).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
        System.out.printf(
                "SPEED %s: %.2f of the rate (%s)%n",
                state,
                median,
                Stream.of(Arrays.stream(shares).boxed().toArray())
                        .map(share -> "%.2f".formatted(share))
                        .toList());
        assertThat(median).isGreaterThan(0.9);
    }
}
