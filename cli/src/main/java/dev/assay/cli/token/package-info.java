/** Tokens of the API: the one command that goes to the store itself (docs/decisions/0027-tokens.md). */
@NullMarked
package dev.assay.cli.token;

import org.jspecify.annotations.NullMarked;
