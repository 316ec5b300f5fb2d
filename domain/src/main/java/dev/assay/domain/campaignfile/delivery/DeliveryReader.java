package dev.assay.domain.campaignfile.delivery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.WrittenDuration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader and writer of {@code delivery} and {@code deadline}, of a campaign, its branches, judges and graders. */
public final class DeliveryReader {

    /** The field of the way. */
    public static final String FIELD = "delivery";

    /** The field of the time until which answers must be there. */
    public static final String DEADLINE = "deadline";

    /** Both. */
    public static final List<String> NAMES = List.of(FIELD, DEADLINE);

    private static final String NOT_A_MODEL = "it asks no model of a provider";

    /** What holds for all; null: all are asked live. */
    private final @Nullable DeliveryWish all;

    private final String whereAll;
    private final String whyLive;

    private DeliveryReader(@Nullable DeliveryWish all, String whereAll, String whyLive) {
        this.all = all;
        this.whereAll = whereAll;
        this.whyLive = whyLive;
    }

    /** The reader of a campaign, whose own fields hold for all that it asks. */
    public static DeliveryReader of(FieldReader document) {
        return new DeliveryReader(read(document, DeliveryWish.LIVE), document.path(FIELD), "");
    }

    /** The reader of a document whose branches are always asked live. */
    public static DeliveryReader none() {
        return new DeliveryReader(null, FIELD, "an evaluation or a hypothesis is asked live");
    }

    /** The reader of a scoring file, which has no such fields. */
    public static DeliveryReader ofScoring() {
        return new DeliveryReader(null, FIELD, "the judges and graders of a scoring are asked live");
    }

    /** How a branch is asked; {@code branch} is what has been read of it, asked live. */
    public DeliveryWish of(FieldReader fields, Branch branch) {
        return of(fields, "branch `" + branch.id() + "`", reason(branch), all);
    }

    /** How a judge or a grader is asked that answers questions. */
    public DeliveryWish of(FieldReader fields, String what, Agent agent) {
        return of(fields, what, agent.modelAsked().isEmpty() ? NOT_A_MODEL : null, all);
    }

    /** How a grader is asked that computes embeddings: live, whatever the campaign says of all. */
    public DeliveryWish ofEmbeddings(FieldReader fields) {
        return of(fields, "a grader", "it computes embeddings, which are asked live", DeliveryWish.LIVE);
    }

    /**
     * A wish that can be met.
     *
     * @param reason why it cannot be in a batch; null: it can, as far as its file says
     */
    private DeliveryWish of(
            FieldReader fields, String what, @Nullable String reason, @Nullable DeliveryWish otherwise) {
        DeliveryWish wish = read(fields, otherwise == null ? DeliveryWish.LIVE : otherwise);
        String why = all == null ? whyLive : reason;
        if (why == null || wish.way() == Delivery.LIVE) {
            return wish;
        }
        if (wish.way() == Delivery.BATCH) {
            String where = fields.hasValue(FIELD) ? fields.path(FIELD) : whereAll;
            fields.problems()
                    .add(
                            where,
                            "`" + where + "` is batch, but " + what + " cannot be in a batch: " + why
                                    + ". Write `delivery: live` for it, or `auto`.");
        }
        return DeliveryWish.LIVE;
    }

    /** Why a branch cannot be in a batch; null: it can, as far as its file says. */
    public static @Nullable String reason(Branch branch) {
        if (!branch.tools().isEmpty()) {
            return "it has tools, and only cells that make one request can";
        }
        return branch.agent().modelAsked().isEmpty() ? NOT_A_MODEL : null;
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
    public static void write(DeliveryWish wish, ObjectNode asked) {
        if (wish.mayBeOut()) {
            asked.put(FIELD, wish.way().word());
            if (wish.deadline() != null) {
                asked.put(DEADLINE, wish.deadline().toString());
            }
        }
    }
}
