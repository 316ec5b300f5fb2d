package dev.assay.cli.report;

import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.text.Excerpt;
import java.util.List;

/** The errors of a campaign by code, with the newest words, and how to run cells again that ended with one. */
public final class ErrorTable {

    private static final int WORDS = 120;

    private ErrorTable() {}

    /** An error as one line: its code, its cells, and the newest words. */
    public static String line(ErrorCount error) {
        String newest = error.newest();
        return error.code() + ": "
                + (error.ended() == 0 ? "" : Numbers.count(error.ended(), "cell"))
                + (error.ended() == 0 || error.attempts() == 0 ? "" : ", ")
                + (error.attempts() == 0 ? "" : Numbers.count(error.attempts()) + " to be tried again")
                + (newest == null ? "" : ": " + Excerpt.of(newest, WORDS));
    }

    /**
     * The table; empty where there is no error.
     *
     * @param again the command that runs these cells again
     */
    public static String of(List<ErrorCount> errors, String again) {
        if (errors.isEmpty()) {
            return "";
        }
        boolean retried = errors.stream().anyMatch(error -> error.attempts() > 0);
        TextTable table = new TextTable(retried ? List.of("Error", "Cells", "Tried again") : List.of("Error", "Cells"));
        errors.forEach(error -> table.row(
                retried
                        ? List.of(error.code(), Numbers.count(error.ended()), Numbers.count(error.attempts()))
                        : List.of(error.code(), Numbers.count(error.ended()))));
        StringBuilder text = new StringBuilder(table.text());
        for (ErrorCount error : errors) {
            String newest = error.newest();
            if (newest != null) {
                text.append(error.code())
                        .append(": ")
                        .append(Excerpt.of(newest, WORDS))
                        .append('\n');
            }
        }
        return errors.stream().allMatch(error -> error.ended() == 0)
                ? text.toString()
                : text.append("Run them again with: ")
                        .append(again)
                        .append('\n')
                        .toString();
    }
}
