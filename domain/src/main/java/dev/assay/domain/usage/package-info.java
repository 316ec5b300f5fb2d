/** Tokens and their cost. Money is exact decimal arithmetic in US dollars. */
@NullMarked
package dev.assay.domain.usage;

import org.jspecify.annotations.NullMarked;
