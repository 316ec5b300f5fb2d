/** The fields of branches that systems under test answer for: how they are read, written, and checked against what workers allow. */
@NullMarked
package dev.assay.domain.campaignfile.http;

import org.jspecify.annotations.NullMarked;
