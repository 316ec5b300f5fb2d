/** The plan and the end of a campaign, as the campaign workflow asks for them. */
@NullMarked
package dev.assay.activities.campaign;

import org.jspecify.annotations.NullMarked;
