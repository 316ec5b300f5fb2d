/** Whether what Assay stands on answers. */
@NullMarked
package dev.assay.web.health;

import org.jspecify.annotations.NullMarked;
