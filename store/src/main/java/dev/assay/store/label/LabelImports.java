package dev.assay.store.label;

import dev.assay.domain.document.Problems;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelFile;
import dev.assay.domain.label.LabelLine;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Stores the labels of a file: all of them, or none. */
@Singleton
public class LabelImports {

    private final Sql sql;
    private final CampaignRepository campaigns;
    private final CellLookup cells;
    private final SampleRepository samples;
    private final LabelWriter writer;

    LabelImports(
            Sql sql, CampaignRepository campaigns, CellLookup cells, SampleRepository samples, LabelWriter writer) {
        this.sql = sql;
        this.campaigns = campaigns;
        this.cells = cells;
        this.samples = samples;
        this.writer = writer;
    }

    /**
     * What a request says beside its file.
     *
     * @param campaignId the campaign of lines that name none; null: each names one
     * @param labeller the person of lines that name none
     * @param isDry whether nothing is to be stored
     */
    public record Request(@Nullable String campaignId, String labeller, boolean isDry, Instant now) {}

    /** A label of the same draw, check and person. */
    private record Key(Draw draw, @Nullable String check, String labeller) {}

    private record Line(LabelLine line, LabelledCell cell) {}

    /** Ends a transaction without a change. */
    private static final class Undone extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient LabelWriter.Stored stored;

        Undone(LabelWriter.Stored stored) {
            super(null, null, false, false);
            this.stored = stored;
        }
    }

    /**
     * Stores the labels of {@code file}.
     *
     * @throws AssayException INVALID_INPUT with line and column of all that is wrong; nothing is stored then
     */
    public LabelWriter.Stored store(LabelFile file, Request request) {
        Problems problems = new Problems();
        Map<Key, Line> distinct = new LinkedHashMap<>();
        for (Line line : resolved(file, request, problems)) {
            Label label = line.cell().label();
            Line earlier = distinct.putIfAbsent(new Key(line.cell().draw(), label.check(), label.labeller()), line);
            if (earlier != null && !earlier.cell().label().value().equals(label.value())) {
                problems.add(
                        LabelFile.place(line.line().line(), "label"),
                        "Line " + earlier.line().line() + " has another label of the same answer by " + label.labeller()
                                + "; keep one.");
            }
        }
        problems.throwIfAny("file of labels");
        List<LabelledCell> labels = distinct.values().stream().map(Line::cell).toList();
        try {
            return sql.write(() -> {
                LabelWriter.Stored stored = writer.store(labels);
                if (request.isDry()) {
                    throw new Undone(stored);
                }
                return stored;
            });
        } catch (Undone undone) {
            return undone.stored;
        }
    }

    private List<Line> resolved(LabelFile file, Request request, Problems problems) {
        Map<Long, Line> byLine = new TreeMap<>();
        items(file, request, problems).forEach(line -> byLine.put(line.line().line(), line));
        Map<String, List<LabelLine>> byCampaign = new TreeMap<>();
        for (LabelLine line : file.lines()) {
            if (line.target() instanceof LabelLine.Cell cell) {
                String campaign = cell.campaign() == null ? request.campaignId() : cell.campaign();
                if (campaign == null) {
                    problems.add(LabelFile.place(line.line(), "campaign"), "The line names no campaign.");
                } else {
                    byCampaign.computeIfAbsent(campaign, _ -> new ArrayList<>()).add(line);
                }
            }
        }
        byCampaign.forEach((campaign, lines) -> ofCampaign(campaign, lines, request, problems)
                .forEach(line -> byLine.put(line.line().line(), line)));
        return List.copyOf(byLine.values());
    }

    private List<Line> ofCampaign(String id, List<LabelLine> lines, Request request, Problems problems) {
        StoredCampaign campaign = campaigns.find(id).orElse(null);
        if (campaign == null) {
            lines.forEach(
                    line -> problems.add(LabelFile.place(line.line(), "campaign"), "There is no campaign " + id + "."));
            return List.of();
        }
        Set<CellName> names = new LinkedHashSet<>();
        lines.forEach(line -> names.add(name(line)));
        Map<CellName, FoundCell> found = cells.find(campaign, names);
        List<Line> resolved = new ArrayList<>();
        for (LabelLine line : lines) {
            CellName name = name(line);
            switch (Objects.requireNonNull(found.get(name))) {
                case FoundCell.Answer answer ->
                    resolved.add(new Line(
                            line,
                            new LabelledCell(
                                    id,
                                    answer.ordinal(),
                                    answer.branchIndex(),
                                    answer.draw(),
                                    label(line, line.check(), null, request))));
                case FoundCell.NoAnswer none ->
                    problems.add(
                            LabelFile.place(line.line(), "trial"),
                            none(name.caseId(), none.branchId(), name.trial()) + ".");
                case FoundCell.Unknown unknown ->
                    problems.add(LabelFile.place(line.line(), unknown.part()), unknown.sentence() + ".");
            }
        }
        return resolved;
    }

    /** Says that there is no answer to label. */
    static String none(String caseId, String branchId, int trial) {
        return "Trial " + trial + " of " + caseId + " on " + branchId + " has no answer to label";
    }

    private static CellName name(LabelLine line) {
        return line.target() instanceof LabelLine.Cell(var _, String caseId, var branch, int trial)
                ? new CellName(caseId, branch, trial)
                : new CellName("", null, 0);
    }

    private List<Line> items(LabelFile file, Request request, Problems problems) {
        Set<String> names = new LinkedHashSet<>();
        file.lines().forEach(line -> {
            if (line.target() instanceof LabelLine.Item item) {
                names.add(item.name());
            }
        });
        Map<String, List<SampleItem>> known = new HashMap<>();
        samples.items(names)
                .forEach(item -> known.computeIfAbsent(item.name(), _ -> new ArrayList<>())
                        .add(item));
        List<Line> lines = new ArrayList<>();
        for (LabelLine line : file.lines()) {
            if (line.target() instanceof LabelLine.Item(var of, String name)) {
                String campaign = of == null ? request.campaignId() : of;
                List<SampleItem> found = known.getOrDefault(name, List.of()).stream()
                        .filter(item -> campaign == null || item.campaignId().equals(campaign))
                        .toList();
                String wrong = problem(name, found);
                if (wrong == null) {
                    lines.add(of(line, found.getFirst(), request));
                } else {
                    problems.add(LabelFile.place(line.line(), "item"), wrong);
                }
            }
        }
        return lines;
    }

    private static @Nullable String problem(String name, List<SampleItem> found) {
        if (found.isEmpty()) {
            return "No sample has the item " + name + ".";
        }
        long campaigns = found.stream().map(SampleItem::campaignId).distinct().count();
        return campaigns > 1
                ? "Samples of " + campaigns + " campaigns have the item " + name + "; name the campaign."
                : null;
    }

    private static Line of(LabelLine line, SampleItem item, Request request) {
        Label label = label(line, line.check() == null ? item.check() : line.check(), item.sample(), request);
        return new Line(line, item.cell(label));
    }

    private static Label label(LabelLine line, @Nullable String check, @Nullable String sample, Request request) {
        return new Label(
                line.value(),
                check,
                line.labeller() == null ? request.labeller() : line.labeller(),
                line.note(),
                sample,
                line.at() == null ? request.now() : line.at());
    }
}
