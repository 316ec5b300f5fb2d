package dev.assay.domain.draw;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The name of one answer: where it was first recorded. Copies keep it, also when that campaign is deleted.
 *
 * @param trial which repetition of the case, from 1
 * @param draw which answer of that cell, from 0: a re-run that asks the cell again makes another one
 */
public record Draw(
        String campaign,
        @JsonProperty("case") String caseId,
        @JsonProperty("branch") String branchId,
        int trial,
        int draw) {}
