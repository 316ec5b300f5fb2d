/** What a judge is asked, how its reply is understood, and how the votes of several become one (semantics A3 and A4). */
@NullMarked
package dev.assay.domain.judge;

import org.jspecify.annotations.NullMarked;
