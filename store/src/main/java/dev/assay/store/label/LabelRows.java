package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelValue;
import dev.assay.store.sql.Columns;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Columns of labels and draws, and how they are read. */
final class LabelRows {

    /** Of {@code label l} or {@code cell_label l}. */
    static final String LABEL = "l.check_name, l.value, l.labeller, l.note, l.sample_id, l.labelled_at";

    private LabelRows() {}

    static Label label(ResultSet row) throws SQLException {
        return new Label(
                value(row),
                row.getString("check_name"),
                row.getString("labeller"),
                row.getString("note"),
                row.getString("sample_id"),
                Columns.instant(row, "labelled_at"));
    }

    private static LabelValue value(ResultSet row) throws SQLException {
        @Nullable BigDecimal value = row.getBigDecimal("value");
        return value == null ? LabelValue.UNSURE : new LabelValue(value.doubleValue());
    }

    static Draw draw(ResultSet row) throws SQLException {
        return new Draw(
                row.getString("origin_campaign"),
                row.getString("origin_case"),
                row.getString("origin_branch"),
                row.getInt("origin_trial"),
                row.getInt("origin_draw"));
    }
}
