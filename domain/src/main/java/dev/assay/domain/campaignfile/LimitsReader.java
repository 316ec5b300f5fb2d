package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import java.util.List;

/** The reader of the bounds of a campaign. */
public final class LimitsReader {

    static final Fields FIELDS = Fields.of("limits", "maxConcurrent", "budgetUsd", "timeoutSeconds", "maxAttempts");

    /** More than 0, up to a billion US dollars. */
    public static final NumberRule MONEY = NumberRule.above(0, 1_000_000_000);

    /** More than 0, up to a day: an activity ends after that. */
    static final NumberRule SECONDS = NumberRule.above(0, 86_400);

    public static final NumberRule CONCURRENT = NumberRule.whole(1, 10_000);
    static final NumberRule ATTEMPTS = NumberRule.whole(1, 100);

    private LimitsReader() {}

    /** @param branches whose loops a cell must give time to */
    static Limits read(FieldReader document, List<Branch> branches) {
        FieldReader fields = document.objectOrEmpty("limits", FIELDS);
        Limits defaults = Limits.DEFAULT;
        return new Limits(
                fields.integer("maxConcurrent", CONCURRENT, defaults.maxConcurrent()),
                fields.nullableDecimal("budgetUsd", MONEY),
                fields.seconds("timeoutSeconds", SECONDS, Limits.timeoutOf(branches)),
                fields.integer("maxAttempts", ATTEMPTS, defaults.maxAttempts()));
    }
}
