/** Workflows of campaigns, from outside: how they are started, signalled, looked at and forgotten in Temporal. */
@NullMarked
package dev.assay.campaigns.launch;

import org.jspecify.annotations.NullMarked;
