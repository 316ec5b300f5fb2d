package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.label.Label;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** What calibration reads: the answers that count, and the labels of their draws. */
@Singleton
public class CalibrationQueries {

    private static final String LABELS_NOW = "SELECT l.ordinal, l.branch_index, " + LabelRows.LABEL
            + " FROM cell_label l WHERE l.campaign_id = ? ORDER BY l.label_id";

    private static final String LABELS_FIRST =
            "SELECT f.ordinal, f.branch_index, " + LabelRows.LABEL + " FROM (" + CountedDraws.FIRST + """
                ) f JOIN label l ON l.origin_campaign = f.origin_campaign AND l.origin_case = f.origin_case
                    AND l.origin_branch = f.origin_branch AND l.origin_trial = f.origin_trial AND l.origin_draw = f.origin_draw
                WHERE l.superseded_at IS NULL ORDER BY l.label_id\
                """;

    private static final String ANY = "SELECT 1 FROM label WHERE origin_campaign = ? AND superseded_at IS NULL LIMIT 1";

    private static final String COPIES =
            "SELECT 1 FROM outcome WHERE campaign_id = ? AND origin_campaign IS NOT NULL LIMIT 1";

    private final Sql sql;

    CalibrationQueries(Sql sql) {
        this.sql = sql;
    }

    /** A cell, by number of its trial and index of its branch. */
    public record Place(int ordinal, int branchIndex) {}

    private record Placed(Place place, Label label) {

        static Placed read(ResultSet row) throws SQLException {
            return new Placed(new Place(row.getInt("ordinal"), row.getInt("branch_index")), LabelRows.label(row));
        }
    }

    /** Whether answers of a campaign may have labels. Soon said: most campaigns have none. */
    @ReadOnly
    public boolean mayHaveLabels(String campaignId) {
        return sql.exists(ANY, campaignId) || sql.exists(COPIES, campaignId);
    }

    /** The labels in force of the draws that count, by cell. */
    @ReadOnly
    public Map<Place, List<Label>> labels(StoredCampaign campaign) {
        Map<Place, List<Label>> labels = new HashMap<>();
        sql.forEach(
                LABELS_NOW,
                Placed::read,
                one -> labels.computeIfAbsent(one.place(), _ -> new ArrayList<>())
                        .add(one.label()),
                campaign.id());
        if (campaign.reruns() > 0) {
            Set<Place> again = new HashSet<>();
            first(campaign, cell -> again.add(new Place(cell.ordinal(), cell.branchIndex())));
            labels.keySet().removeAll(again);
            sql.forEach(
                    LABELS_FIRST,
                    Placed::read,
                    one -> labels.computeIfAbsent(one.place(), _ -> new ArrayList<>())
                            .add(one.label()),
                    campaign.id());
        }
        return labels;
    }

    /** Hands over the answers that count, each with what evaluators said of it. */
    @ReadOnly
    public void answers(StoredCampaign campaign, Consumer<JudgedCell> consumer) {
        Set<Place> again = new HashSet<>();
        if (campaign.reruns() > 0) {
            first(campaign, cell -> {
                again.add(new Place(cell.ordinal(), cell.branchIndex()));
                consumer.accept(cell);
            });
        }
        int branches = campaign.definition().branches().size();
        sql.forEach(
                CountedDraws.NOW,
                CalibrationQueries::cell,
                cell -> {
                    if (!again.contains(new Place(cell.ordinal(), cell.branchIndex()))) {
                        consumer.accept(cell);
                    }
                },
                campaign.id(),
                IntStream.range(0, branches).boxed().toList());
    }

    private void first(StoredCampaign campaign, Consumer<JudgedCell> consumer) {
        sql.forEach(CountedDraws.FIRST, CalibrationQueries::cell, consumer, campaign.id());
    }

    private static JudgedCell cell(ResultSet row) throws SQLException {
        Draw draw = LabelRows.draw(row);
        return new JudgedCell(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("case_id"),
                row.getString("branch_id"),
                row.getInt("trial"),
                draw,
                Columns.booleanOrNull(row, "passed"),
                Columns.json(row, "checks", OutcomeColumns.CHECKS));
    }

    private static final String NEWEST = """
        SELECT s.sample_id FROM label_sample s WHERE s.sample_id = ANY (?::text[]) ORDER BY s.created_at DESC, s.sample_id LIMIT 1\
        """;

    /** The newest of some samples; empty when none of them is there. */
    @ReadOnly
    public Optional<String> newest(Set<String> samples) {
        return samples.isEmpty() ? Optional.empty() : sql.first(NEWEST, row -> row.getString(1), samples);
    }
}
