package dev.assay.cli.option;

import dev.assay.domain.isolation.IsolationOffer;

/** The words in which a command says how far it keeps programs apart. */
public final class ProgramsText {

    private ProgramsText() {}

    /** What a worker offers, without a full stop. */
    public static String of(IsolationOffer programs) {
        return programs.refusal() == null
                ? "isolation level " + programs.level().word()
                : programs.refusal();
    }
}
