package dev.assay.store.delivery;

import dev.assay.domain.delivery.BatchState;
import dev.assay.store.delivery.ProviderBatch.Counts;
import dev.assay.store.delivery.ProviderBatch.Of;
import dev.assay.store.delivery.ProviderBatch.Problem;
import dev.assay.store.delivery.ProviderBatch.Provided;
import dev.assay.store.delivery.ProviderBatch.Size;
import dev.assay.store.delivery.ProviderBatch.Times;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of rows of provider batches. */
final class BatchRows {

    static final String COLUMNS = """
        b.id, b.campaign_id, b.epoch, b.provider, b.model, b.kind, b.round, b.queue, b.state, b.provider_id, b.file_id, b.key_name,
        b.account_hash, b.lines, b.bytes, b.estimated_tokens, b.reserved_usd, b.answered, b.failed, b.expired, b.canceled,
        b.missing, b.duplicates, b.strangers, b.said_done, b.tries, b.cost_usd, b.created_at, b.submitting_at, b.submitted_at,
        b.ended_at, b.collected_at, b.expires_at, b.deadline_at, b.next_poll_at, b.cancel_requested_at, b.clean_at,
        now() AS read_at, b.error_code, b.error_message\
        """;

    private BatchRows() {}

    static ProviderBatch read(ResultSet row) throws SQLException {
        String message = row.getString("error_message");
        return new ProviderBatch(
                new Of(
                        row.getString("id"),
                        row.getString("campaign_id"),
                        row.getInt("epoch"),
                        row.getString("provider"),
                        row.getString("model"),
                        row.getString("kind"),
                        row.getInt("round"),
                        row.getString("queue")),
                BatchState.valueOf(row.getString("state")),
                new Provided(
                        row.getString("provider_id"),
                        row.getString("file_id"),
                        row.getString("key_name"),
                        row.getString("account_hash")),
                new Size(
                        row.getInt("lines"),
                        row.getLong("bytes"),
                        row.getLong("estimated_tokens"),
                        row.getBigDecimal("reserved_usd")),
                new Counts(
                        row.getInt("answered"),
                        row.getInt("failed"),
                        row.getInt("expired"),
                        row.getInt("canceled"),
                        row.getInt("missing"),
                        row.getInt("duplicates"),
                        row.getInt("strangers"),
                        row.getInt("said_done"),
                        row.getInt("tries"),
                        row.getBigDecimal("cost_usd")),
                new Times(
                        Objects.requireNonNull(time(row, "created_at")),
                        time(row, "submitting_at"),
                        time(row, "submitted_at"),
                        time(row, "ended_at"),
                        time(row, "collected_at"),
                        time(row, "expires_at"),
                        time(row, "deadline_at"),
                        time(row, "next_poll_at"),
                        time(row, "cancel_requested_at"),
                        time(row, "clean_at"),
                        Objects.requireNonNull(time(row, "read_at"))),
                message == null ? null : new Problem(row.getString("error_code"), message));
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
