/** What the campaign workflow asks: plans, and the end. */
@NullMarked
package dev.assay.activities.campaign;

import org.jspecify.annotations.NullMarked;
