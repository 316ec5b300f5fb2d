package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.AnswerHeaders;
import dev.assay.domain.limit.answer.HeaderLimit;
import dev.assay.domain.limit.answer.HeaderLimits;
import dev.assay.domain.limit.answer.Refusal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The permits of a call, with its units where it spends some. Its pool is told how the call ends. */
final class LeasedPermit implements Permits.Permit {

    private final AskingCell cell;
    private final AskingCell.Entered entered;
    private final Throttles throttles;
    private final Semaphore news;
    private final ThrottledPool.@Nullable Sent sent;
    private String account = ModelPool.DEFAULT_ACCOUNT;
    private int blocksThen;
    private boolean isRepeated;

    /** @param news of which others are told at once */
    LeasedPermit(AskingCell cell, AskingCell.Entered entered, Throttles throttles, Semaphore news) {
        this.cell = cell;
        this.entered = entered;
        this.throttles = throttles;
        this.news = news;
        ThrottledPool pool = cell.pool();
        this.sent = pool == null ? null : pool.begins(entered.isStray(), cell.ofProvider());
    }

    @Override
    public @Nullable TakenUnits units() {
        return entered.taken();
    }

    @Override
    public void repeats() {
        isRepeated = true;
        TakenUnits taken = units();
        if (taken != null) {
            taken.again();
        }
    }

    @Override
    public void bears(String ofKey) {
        account = ofKey;
        ThrottledPool pool = cell.pool();
        blocksThen = pool == null ? 0 : pool.blocks(ofKey);
    }

    @Override
    public Set<String> blockedAccounts() {
        ThrottledPool pool = cell.pool();
        return pool == null ? Set.of() : pool.blocked();
    }

    @Override
    public void heard(AnswerHeaders headers) {
        ThrottledPool pool = cell.pool();
        if (pool != null) {
            List<HeaderLimit> limits = HeaderLimits.of(headers);
            pool.taught(account, limits);
            TakenUnits taken = units();
            if (taken != null && pool.learns()) {
                taken.heard(limits);
            }
        }
    }

    @Override
    public void answered() {
        ThrottledPool pool = cell.pool();
        if (pool != null && sent != null && !isRepeated) {
            pool.answered(sent, account, blocksThen);
        }
    }

    @Override
    public void refused(Refusal refusal) {
        ThrottledPool pool = cell.pool();
        if (pool != null && sent != null) {
            pool.taught(account, refusal.limits());
            throttles.refused(pool, sent, account, blocksThen, refusal);
        }
    }

    @Override
    public void isBack() {
        ThrottledPool pool = cell.pool();
        if (pool != null) {
            pool.isBack();
        }
    }

    /** A permit that the worker may not keep is given back at once: others wait for it. */
    @Override
    public void close() {
        ThrottledPool pool = cell.pool();
        if (pool != null && sent != null) {
            pool.ended(sent);
        }
        if (cell.leavePermits(entered)) {
            news.release();
        }
        if (pool != null && entered.isStray()) {
            throttles.strayEnded(pool);
        }
    }
}
