package dev.assay.domain.account;

import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.health.HealthFacts.Retry;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Puts the errors with which cells ended beside those after which they are tried again. */
final class ErrorTally {

    private static final Comparator<ErrorCount> ORDER = Comparator.comparingLong(ErrorCount::ended)
            .thenComparingLong(ErrorCount::attempts)
            .reversed()
            .thenComparing(ErrorCount::code);

    private ErrorTally() {}

    /** All errors by code, the most frequent first. */
    static List<ErrorCount> of(List<ErrorCount> ended, List<Retry> retries) {
        TreeMap<String, ErrorCount> byCode = new TreeMap<>();
        ended.forEach(one -> byCode.merge(one.code(), one, ErrorTally::plus));
        retries.forEach(retry -> byCode.merge(
                retry.code().name(), new ErrorCount(retry.code().name(), 0, retry.cells(), null), ErrorTally::plus));
        return byCode.values().stream().sorted(ORDER).toList();
    }

    private static ErrorCount plus(ErrorCount one, ErrorCount other) {
        return new ErrorCount(
                one.code(),
                one.ended() + other.ended(),
                one.attempts() + other.attempts(),
                one.newest() == null ? other.newest() : one.newest());
    }
}
