package dev.assay.activities.evaluator;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.code.Interpreter;
import java.util.List;

/** The hashes of what decides on one answer where no model does. */
public interface VerdictNames {

    /** That of a check for which {@code ran} ran code. */
    String check(Check check, List<Interpreter> ran);

    /** That of the transforms of the answer, which {@code ran} ran. */
    String transforms(List<Interpreter> ran);
}
