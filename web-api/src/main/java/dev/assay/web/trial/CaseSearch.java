package dev.assay.web.trial;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.matrix.CasePattern;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cases.CaseFilter;
import dev.assay.store.cases.CaseLists;
import dev.assay.web.matrix.HeldMatrices;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds cases of a campaign by their text, and by the results of their cells. */
@Singleton
public final class CaseSearch {

    /** Cases with a trial of which a scoring says otherwise than was said before. */
    static final String FLIPPED = "flipped";

    private final CaseLists cases;
    private final HeldMatrices matrices;

    CaseSearch(CaseLists cases, HeldMatrices matrices) {
        this.cases = cases;
        this.matrices = matrices;
    }

    /**
     * The criteria of a search for cases; null components do not restrict it.
     *
     * @param q only whose id or prompts have it, in capitals or not
     * @param tag only with this tag
     * @param failedCheck only with a trial in which a check of this type, or with this metric, failed
     * @param slowerThanMs only with an answer that took longer, in milliseconds
     * @param only the word of a {@link CasePattern}, or {@link #FLIPPED}
     * @param label only with an answer of which people say so
     * @param branchId the only branch whose answers and cells are looked at; null: all are
     */
    public record Criteria(
            @Nullable String q,
            @Nullable String tag,
            @Nullable String failedCheck,
            @Nullable Long slowerThanMs,
            @Nullable String only,
            @Nullable LabelState label,
            @Nullable String branchId) {}

    /**
     * The filter for criteria, as the cells are now.
     *
     * @throws AssayException INVALID_INPUT when they name an unknown pattern or a branch that the campaign does not have. Also
     *     when it has too many cells for its patterns to be known
     */
    CaseFilter filter(StoredCampaign campaign, Criteria criteria) {
        Integer branch = branchIndex(campaign, criteria.branchId());
        boolean flipped = FLIPPED.equals(criteria.only());
        boolean isOfAnswers = flipped
                || criteria.label() != null
                || criteria.failedCheck() != null
                || criteria.slowerThanMs() != null;
        return new CaseFilter(
                criteria.q(),
                criteria.tag(),
                isOfAnswers
                        ? new CaseFilter.Answers(
                                campaign.id(),
                                branch,
                                criteria.failedCheck(),
                                criteria.slowerThanMs(),
                                flipped,
                                criteria.label())
                        : null,
                criteria.only() == null || flipped ? null : withPattern(campaign, criteria.only(), branch));
    }

    /**
     * The positions of the cases that meet all criteria, ascending; null: every case does, since there are no criteria.
     *
     * @throws AssayException as {@link #filter}
     */
    public @Nullable List<Integer> positions(StoredCampaign campaign, Criteria criteria) {
        CaseFilter filter = filter(campaign, criteria);
        return filter.keepsAll() ? null : cases.positions(campaign.suiteId(), filter);
    }

    private List<Integer> withPattern(StoredCampaign campaign, String word, @Nullable Integer branch) {
        CasePattern pattern = CasePattern.named(word);
        if (pattern == null) {
            String words =
                    Arrays.stream(CasePattern.values()).map(CasePattern::word).collect(Collectors.joining(", ")) + ", "
                            + FLIPPED;
            throw AssayException.invalid(
                    "A parameter of the request is not valid",
                    List.of(new FieldError("only", "Write one of " + words)));
        }
        return pattern.positions(matrices.now(campaign.id()), branch).boxed().toList();
    }

    private static @Nullable Integer branchIndex(StoredCampaign campaign, @Nullable String branchId) {
        if (branchId == null) {
            return null;
        }
        int index = campaign.definition().branches().stream()
                .map(Branch::id)
                .toList()
                .indexOf(branchId);
        if (index < 0) {
            throw AssayException.invalid(
                    "The filter matches nothing that the campaign has",
                    List.of(new FieldError("branchId", "The campaign has no branch " + branchId)));
        }
        return index;
    }
}
