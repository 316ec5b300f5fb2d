package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.label.SampleOrder;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Random samples of answers. Which draws one has is fixed when it is made. */
@Singleton
public class SampleRepository {

    private static final String INSERT_CELLS = """
        INSERT INTO label_sample_cell (sample_id, place, item, ordinal, branch_index, response, origin_campaign, origin_case,
            origin_branch, origin_trial, origin_draw)
        VALUES (?, ?, ?, ?, ?, coalesce(?, (SELECT o.response FROM outcome o
            WHERE o.campaign_id = ? AND o.ordinal = ? AND o.branch_index = ?), ''), ?, ?, ?, ?, ?)\
        """;

    private static final String ITEMS = """
        SELECT i.item, s.sample_id, s.check_name, s.campaign_id, i.ordinal, i.branch_index, i.origin_campaign, i.origin_case,
               i.origin_branch, i.origin_trial, i.origin_draw
        FROM label_sample_cell i JOIN label_sample s USING (sample_id) JOIN campaign c USING (campaign_id)
        WHERE i.item = ANY (?::text[]) AND c.deleted_at IS NULL
        ORDER BY s.created_at DESC, s.sample_id\
        """;

    private static final String HAS = """
        SELECT 1 FROM label_sample_cell
        WHERE sample_id = ? AND origin_campaign = ? AND origin_case = ? AND origin_branch = ? AND origin_trial = ?
          AND origin_draw = ?\
        """;

    private final Sql sql;

    SampleRepository(Sql sql) {
        this.sql = sql;
    }

    private record Drawn(
            int ordinal,
            int branchIndex,
            Draw draw,
            @Nullable String response) {}

    private record Candidate(String caseId, String branchId, int trial, Drawn drawn) {

        static Candidate read(ResultSet row, @Nullable String response) throws SQLException {
            return new Candidate(
                    row.getString("case_id"),
                    row.getString("branch_id"),
                    row.getInt("trial"),
                    new Drawn(row.getInt("ordinal"), row.getInt("branch_index"), LabelRows.draw(row), response));
        }
    }

    /**
     * Makes a sample of the answers of some branches of a campaign.
     *
     * @param count how many; all when there are fewer
     * @param branches indexes of the branches
     * @param check what people are asked about; null: the trial as a whole
     */
    @Transactional
    public StoredSample make(
            StoredCampaign campaign, int count, long seed, List<Integer> branches, @Nullable String check) {
        SampleOrder<Drawn> order = new SampleOrder<>(count, seed);
        Set<List<Integer>> again = new HashSet<>();
        if (campaign.reruns() > 0) {
            sql.forEach(
                    CountedDraws.FIRST,
                    row -> Candidate.read(row, row.getString("response")),
                    one -> {
                        again.add(List.of(one.drawn().ordinal(), one.drawn().branchIndex()));
                        if (branches.contains(one.drawn().branchIndex())) {
                            order.add(one.caseId(), one.branchId(), one.trial(), one.drawn());
                        }
                    },
                    campaign.id());
        }
        sql.forEach(
                CountedDraws.NOW,
                row -> Candidate.read(row, null),
                one -> {
                    if (!again.contains(
                            List.of(one.drawn().ordinal(), one.drawn().branchIndex()))) {
                        order.add(one.caseId(), one.branchId(), one.trial(), one.drawn());
                    }
                },
                campaign.id(),
                branches);
        return store(campaign, order, seed, branches, check);
    }

    private StoredSample store(
            StoredCampaign campaign,
            SampleOrder<Drawn> order,
            long seed,
            List<Integer> branches,
            @Nullable String check) {
        String id = "sample-" + UUID.randomUUID();
        List<SampleOrder.Item<Drawn>> items = order.sample();
        List<String> names = branches.stream()
                .map(index -> campaign.definition().branches().get(index).id())
                .toList();
        sql.update("""
            INSERT INTO label_sample (sample_id, campaign_id, seed, count, population, branches, check_name)
            VALUES (?, ?, ?, ?, ?, ?, ?)\
            """, id, campaign.id(), seed, items.size(), order.population(), names, check);
        sql.batch(
                INSERT_CELLS,
                IntStream.range(0, items.size()).boxed().toList(),
                place -> cell(id, campaign.id(), place, items.get(place)));
        return find(campaign.id(), id).orElseThrow();
    }

    private static @Nullable Object[] cell(String id, String campaignId, int place, SampleOrder.Item<Drawn> item) {
        Drawn drawn = item.cell();
        Draw draw = drawn.draw();
        return Sql.row(
                id,
                place,
                item.name(),
                drawn.ordinal(),
                drawn.branchIndex(),
                drawn.response(),
                campaignId,
                drawn.ordinal(),
                drawn.branchIndex(),
                draw.campaign(),
                draw.caseId(),
                draw.branchId(),
                draw.trial(),
                draw.draw());
    }

    /** A sample of a campaign. */
    @ReadOnly
    public Optional<StoredSample> find(String campaignId, String id) {
        return sql.first(
                "SELECT * FROM label_sample WHERE campaign_id = ? AND sample_id = ?",
                SampleRepository::sample,
                campaignId,
                id);
    }

    /** A sample, of whatever campaign. */
    @ReadOnly
    public Optional<StoredSample> find(String id) {
        return sql.first("SELECT * FROM label_sample WHERE sample_id = ?", SampleRepository::sample, id);
    }

    private static StoredSample sample(ResultSet row) throws SQLException {
        return new StoredSample(
                row.getString("sample_id"),
                row.getString("campaign_id"),
                row.getInt("count"),
                row.getLong("population"),
                row.getLong("seed"),
                Columns.strings(row, "branches"),
                row.getString("check_name"),
                Columns.instant(row, "created_at"));
    }

    /** What who labels is shown of an item. */
    public record ShownItem(int place, String name, int caseIndex, String response) {}

    /** Items of a sample, in its order. */
    @ReadOnly
    public List<ShownItem> shown(StoredCampaign campaign, String sampleId, int from, int limit) {
        return sql.list(
                "SELECT place, item, ordinal, response FROM label_sample_cell WHERE sample_id = ? AND place >= ?"
                        + " ORDER BY place LIMIT ?",
                row -> new ShownItem(
                        row.getInt("place"),
                        row.getString("item"),
                        campaign.grid().caseIndex(row.getInt("ordinal")),
                        row.getString("response")),
                sampleId,
                from,
                limit);
    }

    /** The items of these names, those of the newest sample first. */
    @ReadOnly
    public List<SampleItem> items(Collection<String> names) {
        return names.isEmpty()
                ? List.of()
                : sql.list(
                        ITEMS,
                        row -> new SampleItem(
                                row.getString("item"),
                                row.getString("sample_id"),
                                row.getString("check_name"),
                                row.getString("campaign_id"),
                                row.getInt("ordinal"),
                                row.getInt("branch_index"),
                                LabelRows.draw(row)),
                        names);
    }

    /** Whether a sample asks about a draw. */
    @ReadOnly
    public boolean asksAbout(String sampleId, Draw draw) {
        return sql.exists(HAS, sampleId, draw.campaign(), draw.caseId(), draw.branchId(), draw.trial(), draw.draw());
    }
}
