package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.WrittenDuration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader and writer of {@code delivery} and {@code deadline}, of a campaign and of its branches. */
public final class DeliveryReader {

    /** The field of the way. */
    public static final String FIELD = "delivery";

    /** The field of the time until which answers must be there. */
    public static final String DEADLINE = "deadline";

    static final List<String> NAMES = List.of(FIELD, DEADLINE);

    private final @Nullable DeliveryWish all;
    private final String whereAll;

    private DeliveryReader(@Nullable DeliveryWish all, String whereAll) {
        this.all = all;
        this.whereAll = whereAll;
    }

    /** The reader of the branches of a campaign, whose own fields hold for all. */
    static DeliveryReader of(FieldReader document) {
        return new DeliveryReader(read(document, DeliveryWish.LIVE), document.path(FIELD));
    }

    /** The reader of branches that are always asked live. */
    static DeliveryReader none() {
        return new DeliveryReader(null, FIELD);
    }

    /** How a branch is asked; {@code branch} is what has been read of it, asked live. */
    DeliveryWish of(FieldReader fields, Branch branch) {
        DeliveryWish wish = read(fields, all == null ? DeliveryWish.LIVE : all);
        if (wish.way() != Delivery.BATCH) {
            return wish.way() == Delivery.AUTO && reason(branch) != null ? DeliveryWish.LIVE : wish;
        }
        String reason = all == null ? "an evaluation or a hypothesis is asked live" : reason(branch);
        if (reason == null) {
            return wish;
        }
        String where = fields.hasValue(FIELD) ? fields.path(FIELD) : whereAll;
        fields.problems()
                .add(
                        where,
                        "`" + where + "` is batch, but branch `" + branch.id() + "` cannot be in a batch: " + reason
                                + ". Write `delivery: live` for it, or `auto`.");
        return DeliveryWish.LIVE;
    }

    /** Why a branch cannot be in a batch; null: it can, as far as its file says. */
    public static @Nullable String reason(Branch branch) {
        if (!branch.tools().isEmpty()) {
            return "it has tools, and only cells that make one request can";
        }
        return branch.agent().modelAsked().isEmpty() ? "it asks no model of a provider" : null;
    }

    private static DeliveryWish read(FieldReader fields, DeliveryWish otherwise) {
        Delivery way =
                fields.hasValue(FIELD) ? fields.word(FIELD, Delivery.byWord(), otherwise.way()) : otherwise.way();
        Duration inherited = way == Delivery.LIVE ? null : otherwise.deadline();
        if (!fields.hasValue(DEADLINE)) {
            return new DeliveryWish(way, inherited);
        }
        String text = fields.line(DEADLINE, 20);
        Duration deadline = fields.isWrong(DEADLINE) ? null : WrittenDuration.of(text);
        String path = fields.path(DEADLINE);
        if (!fields.isWrong(DEADLINE) && !isInRange(deadline)) {
            fields.problem(DEADLINE, "`" + path + "` must be a time from 10m to 168h, such as 6h.");
        } else if (way == Delivery.LIVE) {
            fields.problem(DEADLINE, "`" + path + "` needs `delivery: batch` or `delivery: auto` beside it.");
        }
        return new DeliveryWish(way, isInRange(deadline) ? deadline : null);
    }

    private static boolean isInRange(@Nullable Duration deadline) {
        return deadline != null
                && deadline.compareTo(DeliveryWish.SHORTEST) >= 0
                && deadline.compareTo(DeliveryWish.LONGEST) <= 0;
    }

    /** Writes what differs from live: builds that do not know the fields read what was stored without them. */
    static void write(DeliveryWish wish, ObjectNode branch) {
        if (wish.mayBeOut()) {
            branch.put(FIELD, wish.way().word());
            if (wish.deadline() != null) {
                branch.put(DEADLINE, wish.deadline().toString());
            }
        }
    }
}
