package dev.assay.web.export;

import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.Page.ItemReader;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.OutcomeContent;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.suite.CaseWindow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Reads what is exported page by page: a slow client holds one page, and no connection of the database. */
@Singleton
final class CellReading {

    private static final int PAGE = 500;

    private final OutcomeQueries outcomes;
    private final CaseRepository cases;

    CellReading(OutcomeQueries outcomes, CaseRepository cases) {
        this.outcomes = outcomes;
        this.cases = cases;
    }

    /** The cases of a campaign, some at a time. */
    CaseWindow cases(StoredCampaign campaign) {
        return new CaseWindow(cases, campaign.suite().id());
    }

    /**
     * Hands over all outcomes, by trial, then case, then branch.
     *
     * @param content how much is read of each
     */
    <T, E extends Exception> void forEach(ExportedCells cells, OutcomeContent<T> content, ItemReader<T, E> reader)
            throws E {
        StoredCampaign campaign = cells.campaign();
        List<Integer> positions = cells.positions();
        if (positions == null) {
            Page.<T, E>forEach(
                    token -> outcomes.page(campaign.id(), cells.filter(), null, content, PageRequest.of(token, PAGE)),
                    reader);
            return;
        }
        long end = (long) campaign.trials() * positions.size();
        int atOnce = Math.max(1, PAGE / campaign.definition().branches().size());
        for (long from = 0; from < end; from += atOnce) {
            List<Integer> ordinals = ordinals(campaign, positions, from, Math.min(end, from + atOnce));
            Page.<T, E>forEach(
                    token -> outcomes.page(
                            campaign.id(), cells.filter(), ordinals, content, PageRequest.of(token, PAGE)),
                    reader);
        }
    }

    /** The numbers of some trials; {@code from} and {@code until} count those of all repetitions, from 0. */
    private static List<Integer> ordinals(StoredCampaign campaign, List<Integer> positions, long from, long until) {
        return LongStream.range(from, until)
                .mapToObj(i -> Math.toIntExact(
                        i / positions.size() * campaign.caseCount() + positions.get((int) (i % positions.size()))))
                .toList();
    }

    /** Hands over the cases, by their place in the suite. What is asked of outcomes beside their case does not matter. */
    <E extends Exception> void forEachCase(ExportedCells cells, ItemReader<Placed, E> reader) throws E {
        StoredCampaign campaign = cells.campaign();
        CaseWindow window = cases(campaign);
        for (int place : places(cells)) {
            reader.read(new Placed(place, window.at(place)));
        }
    }

    private List<Integer> places(ExportedCells cells) {
        StoredCampaign campaign = cells.campaign();
        List<Integer> positions = cells.positions() == null
                ? IntStream.range(0, campaign.caseCount()).boxed().toList()
                : cells.positions();
        String named = cells.filter().caseId();
        if (named == null) {
            return positions;
        }
        Optional<Integer> only = cases.position(campaign.suite().id(), named);
        return positions.stream().filter(only.stream().toList()::contains).toList();
    }

    /**
     * A case of a suite.
     *
     * @param place from 0
     */
    record Placed(int place, Case asked) {}
}
