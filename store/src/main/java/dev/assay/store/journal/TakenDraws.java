package dev.assay.store.journal;

import dev.assay.domain.draw.Draw;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.sql.Sql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The copies of draws that another cell of their campaign holds already. Cells whose requests are made of unlike templates or cases may
 * ask the same, and have the same rank then.
 */
final class TakenDraws {

    // Held to the end of the transaction: another worker that copies for the campaign waits, and then sees these
    // copies.
    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(hashtextextended(n.name, 0)) FROM unnest(?::text[]) AS n (name)";

    private static final String TAKEN = """
        SELECT (n.place - 1)::integer AS place
        FROM unnest(?::text[], ?::integer[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::integer[], ?::integer[])
            WITH ORDINALITY AS n (campaign_id, ordinal, branch_index, origin_campaign, origin_case, origin_branch, origin_trial,
                                  origin_draw, place)
        WHERE EXISTS (
            SELECT 1 FROM outcome o
            WHERE o.campaign_id = n.campaign_id AND (o.ordinal, o.branch_index) <> (n.ordinal, n.branch_index)
              AND (o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw)
                = (n.origin_campaign, n.origin_case, n.origin_branch, n.origin_trial, n.origin_draw))
           OR EXISTS (
            SELECT 1 FROM ungraded_outcome u
            WHERE u.campaign_id = n.campaign_id AND (u.ordinal, u.branch_index) <> (n.ordinal, n.branch_index)
              AND (u.outcome ->> 'origin_campaign', u.outcome ->> 'origin_case', u.outcome ->> 'origin_branch')
                = (n.origin_campaign, n.origin_case, n.origin_branch)
              AND ((u.outcome ->> 'origin_trial')::integer, (u.outcome ->> 'origin_draw')::integer)
                = (n.origin_trial, n.origin_draw))\
        """;

    private TakenDraws() {}

    /** A draw that a campaign is about to hold. */
    private record Copy(RecordOutcome entry, Draw draw) {

        String campaignId() {
            return entry.campaignId();
        }

        /** The same for all copies of the draw in the campaign. */
        List<Object> held() {
            return List.of(campaignId(), draw);
        }
    }

    /** Those of {@code outcomes} whose draws are taken. */
    static Set<RecordOutcome> among(Sql sql, Stream<RecordOutcome> outcomes) {
        Set<RecordOutcome> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> seen = new HashSet<>();
        List<Copy> copies = new ArrayList<>();
        outcomes.map(TakenDraws::copy).filter(Objects::nonNull).forEach(copy -> {
            if (seen.add(copy.held())) {
                copies.add(copy);
            } else {
                taken.add(copy.entry());
            }
        });
        if (!copies.isEmpty()) {
            sql.list(
                    LOCK,
                    _ -> true,
                    all(copies, Copy::campaignId).stream().distinct().sorted().toList());
            places(sql, copies).forEach(place -> taken.add(copies.get(place).entry()));
        }
        return taken;
    }

    private static @Nullable Copy copy(RecordOutcome entry) {
        Draw draw = entry.draw().origin() == null ? null : entry.draw().origin().draw();
        return draw == null ? null : new Copy(entry, draw);
    }

    private static List<Integer> places(Sql sql, List<Copy> copies) {
        return sql.list(
                TAKEN,
                row -> row.getInt("place"),
                all(copies, Copy::campaignId),
                all(copies, copy -> copy.entry().outcome().ordinal()),
                all(copies, copy -> copy.entry().outcome().branchIndex()),
                all(copies, copy -> copy.draw().campaign()),
                all(copies, copy -> copy.draw().caseId()),
                all(copies, copy -> copy.draw().branchId()),
                all(copies, copy -> copy.draw().trial()),
                all(copies, copy -> copy.draw().draw()));
    }

    private static <V> List<V> all(List<Copy> copies, Function<Copy, V> value) {
        return copies.stream().map(value).toList();
    }
}
