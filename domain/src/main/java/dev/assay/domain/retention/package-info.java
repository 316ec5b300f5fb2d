/** How long a server keeps campaigns that have ended: the rules, and their reader. */
@NullMarked
package dev.assay.domain.retention;

import org.jspecify.annotations.NullMarked;
