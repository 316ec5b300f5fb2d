package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.label.Label;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stores labels. What a label replaces stays, as superseded. Writers of labels of one campaign wait for each other. */
@Singleton
public class LabelWriter {

    private static final int ROWS = 10_000;

    private static final String PRESENT =
            "SELECT 1 FROM campaign WHERE campaign_id = ? AND deleted_at IS NULL FOR KEY SHARE";

    private static final String LOCK = """
        SELECT pg_advisory_xact_lock(hashtextextended('labels/' || c.id, 0)) FROM unnest(?::text[]) AS c (id)\
        """;

    private static final String ANY_IN_FORCE =
            "SELECT 1 FROM label WHERE origin_campaign = ANY (?::text[]) AND superseded_at IS NULL LIMIT 1";

    private static final String DRAWS = """
        unnest(?::text[], ?::text[], ?::text[], ?::integer[], ?::integer[])\
        """;

    private static final String NEW = """
        (SELECT campaign, case_id, branch, trial, draw, check_name, labeller, value::numeric AS value, note, sample_id,
                labelled_at::timestamptz AS labelled_at
         FROM unnest(?::text[], ?::text[], ?::text[], ?::integer[], ?::integer[], ?::text[], ?::text[], ?::text[], ?::text[],
                     ?::text[], ?::text[])
             AS n (campaign, case_id, branch, trial, draw, check_name, labeller, value, note, sample_id, labelled_at)) n\
        """;

    private static final String SUPERSEDE = """
        UPDATE label l SET superseded_at = now() FROM %s
        WHERE l.origin_campaign = n.campaign AND l.origin_case = n.case_id AND l.origin_branch = n.branch
          AND l.origin_trial = n.trial AND l.origin_draw = n.draw AND l.labeller = n.labeller
          AND coalesce(l.check_name, '') = coalesce(n.check_name, '') AND l.superseded_at IS NULL
          AND (l.value IS DISTINCT FROM n.value OR l.note IS DISTINCT FROM n.note
               OR n.sample_id IS NOT NULL AND l.sample_id IS DISTINCT FROM n.sample_id)\
        """.formatted(NEW);

    private static final String INSERT = """
        INSERT INTO label (origin_campaign, origin_case, origin_branch, origin_trial, origin_draw, check_name, labeller, value,
                           unsure, note, sample_id, labelled_at)
        SELECT campaign, case_id, branch, trial, draw, check_name, labeller, value, value IS NULL, note, sample_id, labelled_at
        FROM %s
        ON CONFLICT (origin_campaign, origin_case, origin_branch, origin_trial, origin_draw, labeller, coalesce(check_name, ''))
            WHERE superseded_at IS NULL DO NOTHING\
        """.formatted(NEW);

    private static final String DELETE = """
        UPDATE label SET superseded_at = now()
        WHERE origin_campaign = ? AND origin_case = ? AND origin_branch = ? AND origin_trial = ? AND origin_draw = ?
          AND labeller = ? AND coalesce(check_name, '') = coalesce(?::text, '') AND superseded_at IS NULL\
        """;

    // Every cell that holds one of the draws, and whether a person labelled it as a whole.
    private static final String MARK = """
        INSERT INTO matrix_change (campaign_id, entries)
        SELECT h.campaign_id, string_agg(int4send(h.ordinal) || int2send(h.branch_index::smallint)
            || CASE WHEN h.labelled THEN '\\x0240'::bytea ELSE '\\x0200'::bytea END, '' ORDER BY h.ordinal, h.branch_index)
        FROM (SELECT o.campaign_id, o.ordinal, o.branch_index, EXISTS (
                  SELECT 1 FROM label l
                  WHERE l.origin_campaign = n.campaign AND l.origin_case = n.case_id AND l.origin_branch = n.branch
                    AND l.origin_trial = n.trial AND l.origin_draw = n.draw AND l.check_name IS NULL
                    AND l.superseded_at IS NULL) AS labelled
              FROM %s AS n (campaign, case_id, branch, trial, draw)
              CROSS JOIN LATERAL (
                  SELECT o.campaign_id, o.ordinal, o.branch_index FROM outcome o
                  WHERE o.origin_campaign = n.campaign AND o.origin_case = n.case_id AND o.origin_branch = n.branch
                    AND o.origin_trial = n.trial AND o.origin_draw = n.draw
                  UNION ALL
                  SELECT o.campaign_id, o.ordinal, o.branch_index
                  FROM campaign c
                  JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_id = n.case_id
                  JOIN campaign_branch b ON b.campaign_id = c.campaign_id AND b.branch_id = n.branch
                  JOIN outcome o ON o.campaign_id = c.campaign_id AND o.branch_index = b.branch_index
                      AND o.ordinal = (n.trial - 1) * c.case_count + k.case_index
                  WHERE c.campaign_id = n.campaign AND o.origin_campaign IS NULL
                    AND n.draw = CASE WHEN c.reruns = 0 THEN 0
                                      ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END) o) h
        GROUP BY h.campaign_id\
        """.formatted(DRAWS);

    private static final String COPIED = "SELECT 1 FROM outcome WHERE origin_campaign = ANY (?::text[]) LIMIT 1";

    private final Sql sql;

    LabelWriter(Sql sql) {
        this.sql = sql;
    }

    /** How many labels were stored, and how many of before they superseded. The others were in force already. */
    public record Stored(int stored, int superseded) {}

    /**
     * Stores labels of campaigns that are not deleted; all or none.
     *
     * @param labels one for each draw, check and person
     * @throws AssayException NOT_FOUND when a campaign is deleted meanwhile
     */
    @Transactional
    public Stored store(List<LabelledCell> labels) {
        List<String> origins = lock(labels);
        boolean isFirst = !sql.exists(ANY_IN_FORCE, origins);
        int stored = 0;
        int superseded = 0;
        for (int from = 0; from < labels.size(); from += ROWS) {
            List<LabelledCell> some = labels.subList(from, Math.min(labels.size(), from + ROWS));
            @Nullable Object[] rows = Sql.row(Sql.row(draws(some)), Sql.row(said(some)));
            superseded += isFirst ? 0 : sql.update(SUPERSEDE, rows);
            stored += sql.update(INSERT, rows);
        }
        mark(labels.stream().filter(one -> one.label().check() == null).toList(), origins, true);
        return new Stored(stored, superseded);
    }

    /** Takes a label out of force; nothing when there is none. */
    @Transactional
    public void delete(LabelledCell label) {
        List<String> origins = lock(List.of(label));
        Draw draw = label.draw();
        Label of = label.label();
        int gone = sql.update(
                DELETE,
                draw.campaign(),
                draw.caseId(),
                draw.branchId(),
                draw.trial(),
                draw.draw(),
                of.labeller(),
                of.check());
        if (gone > 0) {
            mark(List.of(label), origins, false);
        }
    }

    private List<String> lock(List<LabelledCell> labels) {
        for (String campaign :
                new TreeSet<>(labels.stream().map(LabelledCell::campaignId).collect(Collectors.toSet()))) {
            if (!sql.exists(PRESENT, campaign)) {
                throw new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaign);
            }
        }
        List<String> origins = List.copyOf(
                new TreeSet<>(labels.stream().map(one -> one.draw().campaign()).collect(Collectors.toSet())));
        sql.list(LOCK, _ -> true, origins);
        return origins;
    }

    /** Notes in matrices which cells are labelled. The cells of other campaigns are looked for only where there may be some. */
    private void mark(List<LabelledCell> labels, List<String> origins, boolean areAdded) {
        boolean isAlone = labels.stream()
                .allMatch(one -> one.campaignId().equals(one.draw().campaign()));
        if (areAdded && isAlone && !sql.exists(COPIED, origins)) {
            MatrixWriter matrix = new MatrixWriter();
            labels.forEach(one -> matrix.of(one.campaignId()).labelled(one.ordinal(), one.branchIndex()));
            matrix.write(sql);
            return;
        }
        for (int from = 0; from < labels.size(); from += ROWS) {
            List<LabelledCell> some = labels.subList(from, Math.min(labels.size(), from + ROWS));
            sql.update(MARK, Sql.row(draws(some)));
        }
    }

    private static @Nullable Object[] draws(List<LabelledCell> labels) {
        return Sql.row(
                each(labels, one -> one.draw().campaign()),
                each(labels, one -> one.draw().caseId()),
                each(labels, one -> one.draw().branchId()),
                each(labels, one -> one.draw().trial()),
                each(labels, one -> one.draw().draw()));
    }

    private static @Nullable Object[] said(List<LabelledCell> labels) {
        return Sql.row(
                each(labels, one -> one.label().check()),
                each(labels, one -> one.label().labeller()),
                each(labels, one -> text(one.label().value().score())),
                each(labels, one -> one.label().note()),
                each(labels, one -> one.label().sample()),
                each(labels, one -> one.label().at().toString()));
    }

    private static @Nullable String text(@Nullable Double score) {
        return score == null ? null : score.toString();
    }

    private static <T> Collection<T> each(List<LabelledCell> labels, Function<LabelledCell, T> part) {
        return labels.stream().map(part).collect(Collectors.toList());
    }
}
