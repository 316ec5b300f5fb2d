package dev.assay.store.label;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.draw.Draw;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the answers that names of cells stand for. */
@Singleton
public class CellLookup {

    private static final String CASES =
            "SELECT case_id, case_index FROM suite_case WHERE suite_id = ? AND case_id = ANY (?::text[])";

    private static final String ANSWERS = """
        SELECT l.place, o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial,
               CASE WHEN o.origin_campaign IS NOT NULL THEN o.origin_draw
                    WHEN ? THEN draw_number(o.campaign_id, o.ordinal, o.branch_index) ELSE 0 END AS draw
        FROM unnest(?::integer[], ?::integer[]) WITH ORDINALITY AS l (ordinal, branch_index, place)
        JOIN outcome o ON o.campaign_id = ? AND o.ordinal = l.ordinal AND o.branch_index = l.branch_index
        WHERE o.status IN ('COMPLETED', 'LIMIT')\
        """;

    private final Sql sql;

    CellLookup(Sql sql) {
        this.sql = sql;
    }

    private record Place(CellName name, int ordinal, int branchIndex, String branchId) {}

    /** What a name stands for. */
    @ReadOnly
    public FoundCell find(StoredCampaign campaign, CellName name) {
        return Objects.requireNonNull(find(campaign, List.of(name)).get(name));
    }

    /** What each of some names stands for. */
    @ReadOnly
    public Map<CellName, FoundCell> find(StoredCampaign campaign, Collection<CellName> names) {
        Set<String> caseIds = names.stream().map(CellName::caseId).collect(Collectors.toSet());
        Map<String, Integer> cases = new HashMap<>();
        sql.forEach(
                CASES,
                row -> Map.entry(row.getString("case_id"), row.getInt("case_index")),
                one -> cases.put(one.getKey(), one.getValue()),
                campaign.suiteId(),
                caseIds);
        List<String> branches =
                campaign.definition().branches().stream().map(Branch::id).toList();
        Map<CellName, FoundCell> found = new HashMap<>();
        List<Place> places = new ArrayList<>();
        for (CellName name : names) {
            FoundCell.Unknown unknown = unknown(campaign, name, cases, branches);
            Integer caseIndex = cases.get(name.caseId());
            if (unknown == null && caseIndex != null) {
                int branch = name.branchId() == null ? 0 : branches.indexOf(name.branchId());
                int ordinal = campaign.grid().ordinal(caseIndex, name.trial());
                places.add(new Place(name, ordinal, branch, branches.get(branch)));
                found.put(name, new FoundCell.NoAnswer(branches.get(branch)));
            } else if (unknown != null) {
                found.put(name, unknown);
            }
        }
        addAnswers(campaign, places, found);
        return found;
    }

    private static FoundCell.@Nullable Unknown unknown(
            StoredCampaign campaign, CellName name, Map<String, Integer> cases, List<String> branches) {
        if (!cases.containsKey(name.caseId())) {
            return new FoundCell.Unknown("case", "Campaign " + campaign.id() + " has no case " + name.caseId());
        }
        if (name.branchId() == null ? branches.size() > 1 : !branches.contains(name.branchId())) {
            return new FoundCell.Unknown(
                    "branch",
                    name.branchId() == null
                            ? "Campaign " + campaign.id() + " has several branches: name one of them"
                            : "Campaign " + campaign.id() + " has no branch " + name.branchId());
        }
        return name.trial() < 1 || name.trial() > campaign.trials()
                ? new FoundCell.Unknown(
                        "trial",
                        "Campaign " + campaign.id() + " has the trials 1 to " + campaign.trials() + ", not "
                                + name.trial())
                : null;
    }

    private void addAnswers(StoredCampaign campaign, List<Place> places, Map<CellName, FoundCell> found) {
        if (places.isEmpty()) {
            return;
        }
        sql.forEach(
                ANSWERS,
                row -> answer(campaign, places.get(row.getInt("place") - 1), row),
                one -> found.put(one.getKey(), one.getValue()),
                campaign.reruns() > 0,
                places.stream().map(Place::ordinal).toList(),
                places.stream().map(Place::branchIndex).toList(),
                campaign.id());
    }

    private static Map.Entry<CellName, FoundCell> answer(StoredCampaign campaign, Place place, ResultSet row)
            throws SQLException {
        String origin = row.getString("origin_campaign");
        Draw draw = origin == null
                ? new Draw(
                        campaign.id(),
                        place.name().caseId(),
                        place.branchId(),
                        place.name().trial(),
                        row.getInt("draw"))
                : new Draw(
                        origin,
                        row.getString("origin_case"),
                        row.getString("origin_branch"),
                        row.getInt("origin_trial"),
                        row.getInt("draw"));
        return Map.entry(place.name(), new FoundCell.Answer(place.ordinal(), place.branchIndex(), draw));
    }
}
