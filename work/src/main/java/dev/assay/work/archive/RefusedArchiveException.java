package dev.assay.work.archive;

import org.jspecify.annotations.Nullable;

/** An archive is not accepted. The message is a sentence that names the entry and the rule. */
public final class RefusedArchiveException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ArchiveRule rule;
    private final String reason;

    /** @param reason goes on from the name of what is refused, such as {@code lies below the link `d`} */
    RefusedArchiveException(ArchiveRule rule, String reason) {
        this("The archive", rule, reason);
    }

    private RefusedArchiveException(String subject, ArchiveRule rule, String reason) {
        super("%s %s (rule %d).".formatted(subject, reason, rule.number()));
        this.rule = rule;
        this.reason = reason;
    }

    /**
     * The same refusal of one entry.
     *
     * @param number place of the entry in the archive, from 1
     * @param name of the entry, as messages show it; null: not known
     */
    RefusedArchiveException of(int number, @Nullable String name) {
        String subject = name == null ? "Entry %d of the archive" : "Entry %d `%s` of the archive";
        RefusedArchiveException named = new RefusedArchiveException(subject.formatted(number, name), rule, reason);
        named.setStackTrace(getStackTrace());
        return named;
    }

    /** The rule that refuses it. */
    public ArchiveRule rule() {
        return rule;
    }

    /** The reason, without the name of the entry. */
    public String reason() {
        return reason;
    }
}
