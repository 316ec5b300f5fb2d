/** The campaign's workflow and its activities on PostgreSQL. */
@NullMarked
package dev.assay.workflows.campaign;

import org.jspecify.annotations.NullMarked;
