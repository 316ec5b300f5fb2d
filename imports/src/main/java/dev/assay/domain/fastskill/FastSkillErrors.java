package dev.assay.domain.fastskill;

import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import java.util.function.UnaryOperator;

/** FastSkill's codes before the errors that the readers of documents find. */
final class FastSkillErrors {

    private FastSkillErrors() {}

    /**
     * Ends the reading when anything was found.
     *
     * @param codes the code of an error by its path
     * @throws AssayException INVALID_INPUT with all errors
     */
    static void throwIfAny(Problems problems, String what, UnaryOperator<String> codes) {
        if (problems.none()) {
            return;
        }
        List<FieldError> errors = problems.errors().stream()
                .map(error -> new FieldError(error.path(), codes.apply(error.path()) + ": " + error.message()))
                .toList();
        FieldError first = errors.getFirst();
        throw AssayException.invalid(
                "The " + what + " has " + (problems.count() == 1 ? "an error" : problems.count() + " errors") + ": "
                        + first.path() + ": " + first.message(),
                errors,
                problems.count() - errors.size());
    }
}
