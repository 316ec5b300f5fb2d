/** Reads what users submit: campaigns, evaluations, suites of cassettes, with every error and its path; writes definitions back. */
@NullMarked
package dev.assay.domain.campaignfile;

import org.jspecify.annotations.NullMarked;
