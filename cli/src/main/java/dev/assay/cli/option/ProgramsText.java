package dev.assay.cli.option;

import dev.assay.domain.isolation.IsolationOffer;

/** The words in which a command says how far it keeps programs apart. */
public final class ProgramsText {

    private ProgramsText() {}

    /** What a worker offers, without a full stop. */
    public static String of(IsolationOffer programs) {
        if (programs.refusal() != null) {
            return programs.refusal();
        }
        String level = "isolation level " + programs.level().word();
        return programs.lowered() == null ? level : level + " (no container: " + programs.lowered() + ")";
    }
}
