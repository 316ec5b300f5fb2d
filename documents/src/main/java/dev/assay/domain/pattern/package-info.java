/** Regular expressions of users, bounded: no pattern takes long or much on any text. */
@NullMarked
package dev.assay.domain.pattern;

import org.jspecify.annotations.NullMarked;
