package dev.assay.domain.check.code;

import dev.assay.domain.check.rule.CheckKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of check that own code decides. */
public final class CodeKinds {

    /** Their words. */
    public static final Set<String> WORDS = all().map(CheckKind::word).collect(Collectors.toUnmodifiableSet());

    private CodeKinds() {}

    /** The kinds, in the order in which they are documented. */
    public static Stream<CheckKind> all() {
        return Stream.concat(ScriptRule.kinds(), Stream.of(ProgramRule.KIND));
    }
}
