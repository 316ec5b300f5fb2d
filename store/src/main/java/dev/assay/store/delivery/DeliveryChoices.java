package dev.assay.store.delivery;

import dev.assay.domain.delivery.AutoDelivery;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryChoice;
import dev.assay.store.access.Actor;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code delivery: auto} chose, as events of the campaign: rows of the audit, which Assay writes of itself. */
@Singleton
public class DeliveryChoices {

    private static final String BEGIN = "ask branch ";
    private static final Pattern CHOICE = Pattern.compile("ask branch (.+) (LIVE|BATCH)( \\([A-Z_]+\\)|): .*");
    private static final int MOST = 200;
    private static final int DONE = 200;

    private final Sql sql;
    private final AuditRepository audit;

    DeliveryChoices(Sql sql, AuditRepository audit) {
        this.sql = sql;
        this.audit = audit;
    }

    /**
     * Records a choice, unless it is the one that was recorded of the branch last.
     *
     * @return whether it is new
     */
    public boolean record(String campaignId, String branchId, AutoDelivery choice) {
        boolean isKnown = of(campaignId).stream()
                .filter(last -> last.branch().equals(branchId))
                .anyMatch(last -> last.delivery() == choice.delivery() && last.why() == choice.why());
        if (isKnown) {
            return false;
        }
        AutoDelivery.Why why = choice.why();
        String words = choice.delivery().name() + (why == null ? "" : " (" + why.name() + ")") + ": " + choice.reason();
        long row = audit.begin(new Actor("assay", "worker"), BEGIN + branchId + " " + words, campaignId);
        audit.end(row, DONE, null);
        return true;
    }

    /** The last choice of each branch, the newest first. */
    @ReadOnly
    public List<DeliveryChoice> of(String campaignId) {
        Map<String, DeliveryChoice> last = new LinkedHashMap<>();
        sql.list(
                        "SELECT action, at FROM audit WHERE object = ? AND actor = 'assay' AND starts_with(action, ?)"
                                + " ORDER BY at DESC, audit_id DESC LIMIT ?",
                        DeliveryChoices::choice,
                        campaignId,
                        BEGIN,
                        MOST)
                .forEach(found -> found.ifPresent(choice -> last.putIfAbsent(choice.branch(), choice)));
        return List.copyOf(last.values());
    }

    private static Optional<DeliveryChoice> choice(ResultSet row) throws SQLException {
        Matcher choice = CHOICE.matcher(row.getString("action"));
        if (!choice.matches()) {
            return Optional.empty();
        }
        String why = choice.group(3);
        return Optional.of(new DeliveryChoice(
                choice.group(1),
                Delivery.valueOf(choice.group(2)),
                Arrays.stream(AutoDelivery.Why.values())
                        .filter(one -> why.equals(" (" + one.name() + ")"))
                        .findFirst()
                        .orElse(null),
                Objects.requireNonNull(row.getObject("at", OffsetDateTime.class))
                        .toInstant()));
    }
}
