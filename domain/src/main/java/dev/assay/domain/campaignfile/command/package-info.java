/** The fields of branches that programs answer for: reading, writing, and checks against what workers allow. */
@NullMarked
package dev.assay.domain.campaignfile.command;

import org.jspecify.annotations.NullMarked;
