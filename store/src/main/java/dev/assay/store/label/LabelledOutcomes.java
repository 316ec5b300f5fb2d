package dev.assay.store.label;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelState;
import dev.assay.domain.label.LabelValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Labels beside {@code outcome o}. Where the database holds no label at all, nothing is looked up. */
public final class LabelledOutcomes {

    /** Its labels in force, as {@code labels}; null: none. */
    public static final String LABELS = """
        CASE WHEN EXISTS (SELECT 1 FROM label) THEN (
            SELECT jsonb_agg(jsonb_build_object('value', l.value, 'check', l.check_name, 'labeller', l.labeller, 'note', l.note,
                'sample', l.sample_id, 'at', l.labelled_at) ORDER BY l.label_id)
            FROM cell_label l
            WHERE l.campaign_id = o.campaign_id AND l.ordinal = o.ordinal AND l.branch_index = o.branch_index) END AS labels\
        """;

    /** The bytes of their texts. */
    public static final String OCTETS = """
        CASE WHEN EXISTS (SELECT 1 FROM label) THEN (
            SELECT coalesce(sum(200 + coalesce(octet_length(l.note), 0) + octet_length(l.labeller)), 0) FROM cell_label l
            WHERE l.campaign_id = o.campaign_id AND l.ordinal = o.ordinal AND l.branch_index = o.branch_index) ELSE 0 END\
        """;

    private static final String MAJORITY = """
        SELECT l.ordinal, l.branch_index FROM cell_label l WHERE l.campaign_id = ? AND l.check_name IS NULL
        GROUP BY l.ordinal, l.branch_index, l.passed
        HAVING count(*) FILTER (WHERE l.value >= 0.5) %s count(*) FILTER (WHERE l.value < 0.5)\
        """;

    private LabelledOutcomes() {}

    /** The condition that an outcome is in a state; it has the campaign's id as its only parameter. */
    public static String where(LabelState state) {
        return switch (state) {
            case PASS -> in(MAJORITY.formatted(">"));
            case FAIL -> in(MAJORITY.formatted("<"));
            case UNSURE -> in(MAJORITY.formatted("="));
            case NONE ->
                " AND NOT EXISTS (SELECT 1 FROM cell_label l WHERE l.campaign_id = ? AND l.ordinal = o.ordinal"
                        + " AND l.branch_index = o.branch_index AND l.check_name IS NULL)";
            case DISAGREES ->
                in(MAJORITY.formatted("<>")
                        + " AND (count(*) FILTER (WHERE l.value >= 0.5) > count(*) FILTER (WHERE l.value < 0.5))"
                        + " IS DISTINCT FROM l.passed AND l.passed IS NOT NULL");
        };
    }

    private static String in(String cells) {
        return " AND (o.ordinal, o.branch_index) IN (" + cells + ")";
    }

    /** The labels of the current row. */
    public static List<Label> read(ResultSet row) throws SQLException {
        String written = row.getString("labels");
        return written == null
                ? List.of()
                : Json.tree(written).valueStream().map(LabelledOutcomes::label).toList();
    }

    private static Label label(JsonNode one) {
        JsonNode value = one.path("value");
        return new Label(
                value.isNumber() ? new LabelValue(value.doubleValue()) : LabelValue.UNSURE,
                text(one, "check"),
                one.path("labeller").asText(),
                text(one, "note"),
                text(one, "sample"),
                OffsetDateTime.parse(one.path("at").asText()).toInstant());
    }

    private static @Nullable String text(JsonNode one, String name) {
        return one.path(name).isTextual() ? one.path(name).asText() : null;
    }
}
