package dev.assay.domain.gate.forecast;

import dev.assay.domain.gate.forecast.AskedShares.Step;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.forecast.CaseChances;
import dev.assay.domain.statistics.forecast.TwoCounts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a branch whose thresholds may be settled early, in the order in which they are asked. Before each, the cases of one
 * part have had one trial more than the others. A case is settled when its remaining trials cannot change its status, a branch
 * when its remaining cases cannot. What is settled stays so, which makes each place a question of its own.
 */
final class SettledSteps {

    /** The first cells are looked at one by one, later ones in parts that grow: a strict gate fails early. */
    private static final int FIRST = 32;

    private static final int PARTS = 300;

    private final PlannedSuite suite;
    private final int needed;
    private final int neededCases;
    private final CaseChances chances;
    private final @Nullable Settled[] known;

    private SettledSteps(PlannedSuite suite, Threshold pass, Threshold enough) {
        this.suite = suite;
        this.needed = pass.needed(suite.trials());
        this.neededCases = enough.needed(suite.cases());
        this.chances = new CaseChances(suite.rate(), suite.icc());
        this.known = new Settled[suite.trials() + 1];
    }

    /** The probability that a case is settled after so many trials. */
    private record Settled(double passed, double failed) {}

    /**
     * The steps.
     *
     * @param pass share of its trials that a case needs
     * @param enough share of cases that must pass
     */
    static List<Step> of(PlannedSuite suite, Threshold pass, Threshold enough) {
        SettledSteps steps = new SettledSteps(suite, pass, enough);
        List<Step> all = new ArrayList<>();
        int cells = suite.all();
        int part;
        for (int from = 0; from < cells; from += part) {
            part = Math.clamp(Math.min(from / FIRST, cells / PARTS), 1, cells - from);
            int middle = from + (part - 1) / 2;
            all.add(steps.before(middle / suite.cases(), middle % suite.cases(), (double) part / cells));
        }
        return all;
    }

    /** Before a cell of round {@code round}, from 0, of which {@code done} cases have had their trial. */
    private Step before(int round, int done, double share) {
        Settled earlier = settled(round);
        Settled later = settled(round + 1);
        int rest = suite.cases() - done;
        int mayMiss = suite.cases() - neededCases + 1;
        double open = 1 - earlier.passed() - earlier.failed();
        double undecided = 1
                - TwoCounts.atLeast(neededCases, done, later.passed(), rest - 1, earlier.passed())
                - TwoCounts.atLeast(mayMiss, done, later.failed(), rest - 1, earlier.failed());
        return new Step(
                share,
                Math.clamp(open * undecided, 0, 1),
                TwoCounts.atLeast(neededCases, done, later.passed(), rest, earlier.passed()),
                TwoCounts.atLeast(mayMiss, done, later.failed(), rest, earlier.failed()));
    }

    private Settled settled(int trials) {
        Settled there = known[trials];
        if (there == null) {
            int most = trials - (suite.trials() - needed) - 1;
            double notFailed = most < 0 ? 1 : chances.atLeast(most + 1, trials);
            there = new Settled(chances.atLeast(needed, trials), 1 - notFailed);
            known[trials] = there;
        }
        return there;
    }
}
