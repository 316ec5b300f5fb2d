/** What every check is made of: a kind, a rule, its role beside others, what it sees and what it says. */
@NullMarked
package dev.assay.domain.check.rule;

import org.jspecify.annotations.NullMarked;
