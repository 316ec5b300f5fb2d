/** What a judge reads and how its reply is understood (semantics A3 and A4). */
@NullMarked
package dev.assay.domain.judge;

import org.jspecify.annotations.NullMarked;
