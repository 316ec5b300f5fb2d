package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckRule;

/** A rule on what an agent did. Where a program answered, that is known only when it has just ended. */
public interface RunRule extends CheckRule {}
