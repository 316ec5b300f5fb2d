/** The campaign's workflow and what it asks PostgreSQL. */
@NullMarked
package dev.assay.workflows.campaign;

import org.jspecify.annotations.NullMarked;
