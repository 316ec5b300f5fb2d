package dev.assay.domain.evidence;

import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.statistics.CaseCounts;

/**
 * The evidence of one case on one branch: its trials by what they say.
 *
 * <p>The first draw of a cell that passed or failed counts, whatever later draws say. A draw that was asked again after it had
 * failed leans towards passing; so later draws only widen the bounds.
 *
 * @param planned all trials of the case, at least 1
 * @param passed trials whose first scored draw passed
 * @param failed trials whose first scored draw failed
 * @param errors trials that ended in an error which says something of the model
 * @param providerErrors trials to which the provider gave no answer
 * @param unscored trials that were answered, and of which a required check has no result
 * @param notNeeded trials that were not asked, since the campaign stopped early
 * @param redraws the trials among {@code passed} and {@code failed} that were drawn again
 */
public record CaseEvidence(
        int planned,
        int passed,
        int failed,
        int errors,
        int providerErrors,
        int unscored,
        int notNeeded,
        Redraws redraws) {

    /**
     * Trials that were drawn again after a draw that passed or failed.
     *
     * @param worse of these, the ones that passed first and failed last
     * @param better of these, the ones that failed first and passed last
     */
    public record Redraws(int count, int worse, int better) {

        /** No trial was drawn again. */
        public static final Redraws NONE = new Redraws(0, 0, 0);

        public Redraws {
            if (worse < 0 || better < 0 || worse + better > count) {
                throw new IllegalArgumentException(worse + " worse and " + better + " better of " + count + " redraws");
            }
        }
    }

    public CaseEvidence {
        int all = passed + failed + errors + providerErrors + unscored + notNeeded;
        if (planned < 1
                || Math.min(Math.min(passed, failed), Math.min(errors, providerErrors)) < 0
                || Math.min(unscored, notNeeded) < 0
                || all > planned) {
            throw new IllegalArgumentException(all + " trials of " + planned + " make no evidence");
        }
        if (redraws.worse() > passed || redraws.better() > failed) {
            throw new IllegalArgumentException("More redraws than trials that passed or failed");
        }
    }

    /** Trials that were asked once, without errors; what is unknown is missing. */
    public static CaseEvidence of(CaseCounts counts) {
        return new CaseEvidence(
                counts.planned(), counts.passed(), counts.known() - counts.passed(), 0, 0, 0, 0, Redraws.NONE);
    }

    /** Trials that ended in an answer or in an error. */
    public int asked() {
        return passed + failed + errors + providerErrors + unscored;
    }

    /** Trials that were neither asked nor found needless. */
    public int missing() {
        return planned - asked() - notNeeded;
    }

    /** Errors of either kind. */
    public int allErrors() {
        return errors + providerErrors;
    }

    /** Errors that are no evidence. */
    public int unknownErrors(ErrorTreatment treatment) {
        return switch (treatment) {
            case PROVIDER -> providerErrors;
            case FAIL -> 0;
            case UNKNOWN -> allErrors();
        };
    }

    /** Trials that passed, and those of which nothing is known: the first draws. Points and tests read them. */
    public CaseCounts counts(ErrorTreatment treatment) {
        int unknown = planned - passed - failed - allErrors() + unknownErrors(treatment);
        return new CaseCounts(passed, unknown, planned);
    }

    /**
     * The same for verdicts and the ends of intervals: a trial whose first and last draw disagree is unknown. So the lower end takes
     * the worse of the two and the upper end the better one.
     */
    public CaseCounts bounds(ErrorTreatment treatment) {
        CaseCounts counts = counts(treatment);
        return redraws.worse() + redraws.better() == 0
                ? counts
                : new CaseCounts(
                        passed - redraws.worse(), counts.unknown() + redraws.worse() + redraws.better(), planned);
    }
}
