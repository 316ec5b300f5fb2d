package dev.assay.activities.call;

import dev.assay.activities.permit.CallRoute;
import dev.assay.activities.permit.TakenUnits;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.size.AnsweredSize;
import dev.assay.domain.limit.size.AnsweredSizes;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.usage.Usage;
import org.jspecify.annotations.Nullable;

/** What requests to one model spend: its limits, and the last answers, by which the next request is estimated. For threads at once. */
final class LimitedModel {

    private final CallRoute route;
    private final CountingRules rules;
    private AnsweredSizes answers = AnsweredSizes.NONE;

    LimitedModel(CallRoute route, CountingRules rules) {
        this.route = route;
        this.rules = rules;
    }

    CallRoute route() {
        return route;
    }

    /** The units that a request spends, as far as it is known before it is sent. */
    synchronized Units estimate(RequestSize size) {
        return size.estimate(rules, answers);
    }

    /**
     * Puts a charge right.
     *
     * @param units that the request had; null: none
     */
    void answered(@Nullable TakenUnits units, RequestSize size, Usage usage) {
        if (units == null) {
            return;
        }
        units.answered(rules, usage);
        Long input = usage.input();
        Long output = usage.output();
        if (input != null && output != null) {
            AnsweredSize answer = new AnsweredSize(size.base(), input, output);
            synchronized (this) {
                answers = answers.with(answer);
            }
        }
    }
}
