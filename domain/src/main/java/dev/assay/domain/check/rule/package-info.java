/** The parts of every check: a kind, a rule, its role beside others, its input and its finding. */
@NullMarked
package dev.assay.domain.check.rule;

import org.jspecify.annotations.NullMarked;
