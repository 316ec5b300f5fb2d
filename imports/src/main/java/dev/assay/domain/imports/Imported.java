package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A file of another tool as a campaign file.
 *
 * @param document the campaign file, of use when the report has no errors
 */
public record Imported(ObjectNode document, ImportReport report) {}
