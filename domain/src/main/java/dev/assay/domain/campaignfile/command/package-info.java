/** The fields of branches that programs answer for: how they are read, written, and checked against what workers allow. */
@NullMarked
package dev.assay.domain.campaignfile.command;

import org.jspecify.annotations.NullMarked;
