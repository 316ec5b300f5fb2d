package dev.assay.store.label;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.label.Label;
import dev.assay.domain.label.LabelValue;
import dev.assay.store.campaign.StoredCampaign;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives and takes labels of one cell. */
@Singleton
public class CellLabels {

    private final CellLookup cells;
    private final SampleRepository samples;
    private final LabelWriter writer;
    private final LabelQueries queries;

    CellLabels(CellLookup cells, SampleRepository samples, LabelWriter writer, LabelQueries queries) {
        this.cells = cells;
        this.samples = samples;
        this.writer = writer;
        this.queries = queries;
    }

    /**
     * Gives the answer of a cell a label; the same again changes nothing.
     *
     * @return the labels of the cell in force
     * @throws AssayException NOT_FOUND, CONFLICT when there is no answer, INVALID_INPUT when the label's sample does not ask about it
     */
    @Transactional
    public List<Label> put(StoredCampaign campaign, CellName name, Label label) {
        FoundCell.Answer answer = answer(campaign, name);
        if (label.sample() != null && !samples.asksAbout(label.sample(), answer.draw())) {
            throw AssayException.invalid(
                    "The label is not valid",
                    List.of(new FieldError("sample", "Sample " + label.sample() + " does not ask about this answer")));
        }
        writer.store(List.of(cell(campaign, answer, label)));
        return queries.ofCell(campaign.id(), answer.ordinal(), answer.branchIndex());
    }

    /**
     * Takes a person's label of a cell out of force; nothing when there is none.
     *
     * @param check of this check; null: of the trial as a whole
     * @throws AssayException as {@link #put}
     */
    @Transactional
    public void delete(StoredCampaign campaign, CellName name, String labeller, @Nullable String check) {
        FoundCell.Answer answer = answer(campaign, name);
        writer.delete(cell(campaign, answer, new Label(LabelValue.UNSURE, check, labeller, null, null, Instant.EPOCH)));
    }

    private static LabelledCell cell(StoredCampaign campaign, FoundCell.Answer answer, Label label) {
        return new LabelledCell(campaign.id(), answer.ordinal(), answer.branchIndex(), answer.draw(), label);
    }

    private FoundCell.Answer answer(StoredCampaign campaign, CellName name) {
        return switch (cells.find(campaign, name)) {
            case FoundCell.Answer answer -> answer;
            case FoundCell.NoAnswer none ->
                throw new AssayException(
                        ErrorCode.CONFLICT, LabelImports.none(name.caseId(), none.branchId(), name.trial()));
            case FoundCell.Unknown unknown -> throw new AssayException(ErrorCode.NOT_FOUND, unknown.sentence());
        };
    }
}
