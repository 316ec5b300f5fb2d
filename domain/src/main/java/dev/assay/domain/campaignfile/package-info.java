/**
 * The readers of what users submit: campaigns, evaluations, suites of cassettes, with every error and its path; and the writer of
 * definitions.
 */
@NullMarked
package dev.assay.domain.campaignfile;

import org.jspecify.annotations.NullMarked;
