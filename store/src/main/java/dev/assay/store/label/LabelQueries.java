package dev.assay.store.label;

import dev.assay.domain.label.Label;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.ListReader;
import dev.assay.store.sql.ListReader.ListQuery;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Labels in force, for people. */
@Singleton
public class LabelQueries {

    private static final String OF_CELL = "SELECT " + LabelRows.LABEL
            + " FROM cell_label l WHERE l.campaign_id = ? AND l.ordinal = ? AND l.branch_index = ? ORDER BY l.label_id";

    private static final String PLACE = "l.ordinal, l.branch_index, l.label_id";

    private final Sql sql;
    private final ListReader lists;

    LabelQueries(Sql sql, ListReader lists) {
        this.sql = sql;
        this.lists = lists;
    }

    /** The labels of the answer that a cell holds, the oldest first. */
    @ReadOnly
    public List<Label> ofCell(String campaignId, int ordinal, int branchIndex) {
        return sql.list(OF_CELL, LabelRows::label, campaignId, ordinal, branchIndex);
    }

    /** Labels of a campaign that exists, by trial, then case, then branch, the oldest first. */
    public Page<CellLabel> page(String campaignId, LabelFilter filter, PageRequest request) {
        return lists.page(
                request,
                () -> list(campaignId, filter, request.token()),
                last -> PageToken.of(last.ordinal(), last.branchIndex(), last.number()));
    }

    private static ListQuery<CellLabel> list(String campaignId, LabelFilter filter, @Nullable String pageToken) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(campaignId));
        StringBuilder where = new StringBuilder(" FROM cell_label l WHERE l.campaign_id = ?");
        restrict(where, parameters, "l.branch_id = ?", filter.branchId());
        restrict(where, parameters, "l.labeller = ?", filter.labeller());
        restrict(where, parameters, "l.check_name = ?", filter.check());
        restrict(where, parameters, "l.sample_id = ?", filter.sample());
        if (filter.verdict() != null) {
            where.append(
                    switch (filter.verdict()) {
                        case PASS -> " AND l.value >= 0.5";
                        case FAIL -> " AND l.value < 0.5";
                        case UNSURE -> " AND l.value IS NULL";
                    });
        }
        if (pageToken != null) {
            PageToken token = PageToken.parse(pageToken, 3);
            where.append(" AND (" + PLACE + ") > (?, ?, ?)");
            parameters.addAll(List.of(token.integer(0), token.integer(1), token.number(2)));
        }
        String page = where + " ORDER BY " + PLACE + " LIMIT ?";
        return new ListQuery<>(
                "SELECT 200 + " + Octets.ofTexts("l.note", "l.labeller", "l.check_name", "l.case_id", "l.branch_id")
                        + " AS octets" + page,
                "SELECT l.ordinal, l.branch_index, l.case_id, l.branch_id, l.trial, l.label_id, " + LabelRows.LABEL
                        + page,
                LabelQueries::read,
                parameters);
    }

    private static void restrict(
            StringBuilder where, List<@Nullable Object> parameters, String condition, @Nullable String value) {
        if (value != null) {
            where.append(" AND ").append(condition);
            parameters.add(value);
        }
    }

    private static CellLabel read(ResultSet row) throws SQLException {
        return new CellLabel(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("case_id"),
                row.getString("branch_id"),
                row.getInt("trial"),
                row.getLong("label_id"),
                LabelRows.label(row));
    }
}
