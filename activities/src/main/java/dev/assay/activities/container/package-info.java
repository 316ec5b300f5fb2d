/** Containers in which programs of branches run: the runtime's command, their network, and what is started for an attempt. */
@NullMarked
package dev.assay.activities.container;

import org.jspecify.annotations.NullMarked;
