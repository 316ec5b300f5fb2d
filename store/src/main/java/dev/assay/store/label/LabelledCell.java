package dev.assay.store.label;

import dev.assay.domain.draw.Draw;
import dev.assay.domain.label.Label;

/**
 * A label and where people gave it.
 *
 * @param campaignId the campaign in which they saw the answer
 * @param ordinal number of its trial there
 * @param branchIndex its branch there
 * @param draw what the label belongs to
 */
public record LabelledCell(String campaignId, int ordinal, int branchIndex, Draw draw, Label label) {}
