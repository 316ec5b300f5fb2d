/** The fields of branches that systems under test answer for: reading, writing, and checks against what workers allow. */
@NullMarked
package dev.assay.domain.campaignfile.http;

import org.jspecify.annotations.NullMarked;
