package dev.assay.domain.estimate;

import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.limit.PoolWork;
import dev.assay.domain.limit.Units;
import dev.assay.domain.provider.ProviderInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the author of a campaign should know of the limits of providers before it starts. */
public final class LimitNotices {

    private static final long LONG = Duration.ofDays(1).toSeconds();

    private LimitNotices() {}

    /**
     * Sentences on calls that are larger than a limit, and on a campaign that takes more than a day.
     *
     * @param providers what can be asked, by name, with limits
     */
    public static List<String> of(CampaignSubmission submission, Map<String, ProviderInfo> providers) {
        List<PlannedCalls> calls = new AskedEstimates(submission, providers, RecordedRuns.NONE).calls();
        List<String> notices = new ArrayList<>();
        calls.forEach(one -> addTooLarge(one, notices));
        long trials = (long) submission.suite().cases().size()
                * submission.definition().trials();
        PlannedDuration duration = PlannedDuration.of(
                calls, trials, submission.definition().limits().maxConcurrent());
        Long seconds = duration.seconds();
        if (seconds != null && seconds > LONG) {
            notices.add(String.format(
                    Locale.ROOT,
                    "The campaign takes at least %,d hours, by %s.",
                    Math.ceilDiv(seconds, Duration.ofHours(1).toSeconds()),
                    duration.bound()));
        }
        return notices;
    }

    private static void addTooLarge(PlannedCalls calls, List<String> notices) {
        PoolWork one = calls.work(1);
        int each = Math.max(1, calls.perTrial());
        Units units = Units.ofRequest(one.input() / each, one.output() / each);
        calls.limits().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(limit -> units.of(limit.getKey()) > limit.getValue())
                .forEach(limit -> notices.add(String.format(
                        Locale.ROOT,
                        "A call of %s may take %,d tokens, more than %s of %s, which is %,d: it waits until nothing"
                                + " else counts.",
                        calls.who(),
                        units.of(limit.getKey()),
                        limit.getKey().word(),
                        calls.pool(),
                        limit.getValue())));
    }
}
