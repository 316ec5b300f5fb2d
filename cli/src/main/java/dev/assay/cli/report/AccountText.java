package dev.assay.cli.report;

import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.ErrorCount;
import dev.assay.domain.account.CampaignAccount.Pause;
import dev.assay.domain.account.CampaignAccount.ProviderStanding;
import dev.assay.domain.account.CampaignAccount.ProviderState;
import dev.assay.domain.account.CampaignAccount.Reused;
import dev.assay.domain.rendering.Numbers;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The account of a campaign for people. */
public final class AccountText {

    private static final DateTimeFormatter ABOUT = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private final CampaignAccount account;
    private final String id;
    private final UnaryOperator<String> pasted;

    /**
     * The words for one account.
     *
     * @param pasted makes a command one that can be pasted
     */
    public AccountText(CampaignAccount account, String id, UnaryOperator<String> pasted) {
        this.account = account;
        this.id = id;
        this.pasted = pasted;
    }

    /** All of it but its progress and its health, which have lines of their own; ends with what to do. */
    public String text() {
        List<String> lines = new ArrayList<>(List.of(cells()));
        if (account.state().goesOn()) {
            lines.add(speed());
        }
        lines.add(money());
        Optional.ofNullable(reused()).ifPresent(lines::add);
        account.providers().stream()
                .filter(provider -> provider.state() != ProviderState.OK)
                .map(AccountText::line)
                .forEach(lines::add);
        account.choices().forEach(choice -> lines.add("Delivery: " + choice.words()));
        Pause pause = account.paused();
        if (pause != null) {
            lines.add(line(pause));
        }
        StringBuilder text = new StringBuilder(String.join("\n", lines)).append("\n\n");
        text.append(branches(account).text());
        String errors = errors();
        text.append(errors.isEmpty() ? "" : "\n" + errors).append('\n');
        if (account.rule() != null) {
            text.append(account.rule()).append('\n');
        }
        return text.append("Next: ")
                .append(pasted.apply(account.next()))
                .append('\n')
                .toString();
    }

    /** The errors and how to run their cells again; empty where there is none. */
    public String errors() {
        return ErrorTable.of(account.errors(), pasted.apply("assay rerun " + id + " --errored"));
    }

    /** What the budget left out, and the command that goes on; null: nothing. */
    public @Nullable String skipped() {
        Cells cells = account.cells();
        BigDecimal budget = account.budgetUsd();
        if (cells.skipped() == 0 || budget == null) {
            return null;
        }
        return Numbers.count(cells.skipped()) + " of " + Numbers.count(cells.total(), "cell") + " skipped: "
                + Numbers.cost(account.spentUsd()) + " of " + Numbers.cost(budget) + " spent. Go on with: "
                + pasted.apply(account.next());
    }

    /**
     * When no cell will be open.
     *
     * @param now the time here; the clock of the server may be another
     */
    static String eta(CampaignAccount account, Instant now) {
        Instant eta = account.eta();
        if (eta != null && account.cells().out() > 0) {
            // Hours: the time of day says more than what is left.
            return "done about " + ABOUT.format(eta.atZone(ZoneId.systemDefault()));
        }
        return eta == null
                ? "ETA " + Numbers.UNKNOWN + " ("
                        + Objects.requireNonNull(account.etaReason()).words() + ")"
                : "ETA " + Numbers.duration(now.isBefore(eta) ? Duration.between(now, eta) : Duration.ZERO);
    }

    /** Such as {@code 1,796 of 3,000 cells are open}. */
    static String open(Cells cells) {
        return Numbers.count(cells.open()) + " of " + Numbers.count(cells.total(), "cell")
                + (cells.open() == 1 ? " is open" : " are open");
    }

    private String cells() {
        Cells cells = account.cells();
        return "Cells: " + Numbers.count(cells.done()) + " done, " + Numbers.count(cells.open()) + " open"
                + (cells.held() == 0 ? "" : " (" + Numbers.count(cells.held()) + " wait for a provider)")
                + counted(cells.skipped(), "skipped for the budget")
                + counted(cells.notNeeded(), "not needed")
                + counted(cells.rerun(), "asked again");
    }

    private static String counted(long cells, String what) {
        return cells == 0 ? "" : ", " + Numbers.count(cells) + " " + what;
    }

    private String speed() {
        return "Calls: " + String.join(", ", calls(account)) + "; " + eta(account, Instant.now());
    }

    /** What is being asked, how fast, and what is tried again: parts of a line. */
    public static List<String> calls(CampaignAccount account) {
        List<String> parts = new ArrayList<>();
        parts.add(Numbers.count(account.inFlight()) + " in flight");
        parts.add(Numbers.count(account.maxConcurrent()) + " allowed");
        parts.addAll(out(account));
        Double rate = account.rate();
        if (rate != null) {
            parts.add(String.format(Locale.ROOT, "%.1f cells a second", rate));
        }
        long retries = account.errors().stream().mapToLong(ErrorCount::attempts).sum();
        if (retries > 0) {
            parts.add(Numbers.count(retries) + " to be tried again");
        }
        return parts;
    }

    /** With whom cells are out, as in {@code 300 out with openai (1 batch, 120 answered)}. */
    static List<String> out(CampaignAccount account) {
        return account.outWith().stream()
                .map(out -> Numbers.count(out.cells()) + " out with " + out.provider() + " ("
                        + (out.batches() == 1 ? "1 batch" : Numbers.count(out.batches()) + " batches") + ", "
                        + Numbers.count(out.answered()) + " answered)")
                .toList();
    }

    private String money() {
        BigDecimal reserved = account.reservedUsd();
        BigDecimal budget = account.budgetUsd();
        return "Cost: " + Numbers.cost(account.spentUsd()) + " spent"
                + (reserved == null || reserved.signum() == 0 ? "" : ", " + Numbers.cost(reserved) + " reserved")
                + (budget == null ? ", no budget" : ", budget " + Numbers.cost(budget));
    }

    /** What was not asked for, since the answers were on record; null: everything was. */
    private @Nullable String reused() {
        Reused reused = account.reused();
        if (reused.cells() + reused.calls() == 0) {
            return null;
        }
        return "Reused: " + Numbers.count(reused.cells(), "stored answer")
                + (reused.calls() == 0 ? "" : ", " + Numbers.count(reused.calls(), "call") + " of judges and graders")
                + (reused.savedUsd() == null ? "" : ", " + Numbers.cost(reused.savedUsd()) + " not paid again");
    }

    private static String line(ProviderStanding provider) {
        String state = switch (provider.state()) {
            case OK -> "answers";
            case LIMITED -> "limits calls";
            case DOWN -> "does not answer";
            case NO_KEY -> "has no key that works";
        };
        return "Provider " + provider.name() + " " + state + ": " + Numbers.count(provider.held(), "cell") + " held";
    }

    private static String line(Pause pause) {
        String who = pause.who();
        return "Paused " + pause.at().truncatedTo(ChronoUnit.SECONDS)
                + (who == null ? "" : " by " + (who.equals(Pause.ASSAY) ? "Assay" : who))
                + (pause.reason() == null ? "" : ": " + pause.reason());
    }

    /** A row for each branch. */
    public static TextTable branches(CampaignAccount account) {
        TextTable table = new TextTable(List.of("Branch", "Done", "Passed", "Interval", "Errors", "Cost"));
        for (BranchStanding branch : account.branches()) {
            table.row(List.of(
                    branch.id(),
                    Numbers.count(branch.done()),
                    Numbers.count(branch.passed()),
                    branch.done() == 0 ? Numbers.UNKNOWN : Numbers.interval(branch.low(), branch.high()),
                    errors(branch),
                    Numbers.cost(branch.costUsd())));
        }
        return table;
    }

    /** By code, as in "2 PROVIDER_TIMEOUT, 1 PROVIDER_AUTH"; their number where no code is known. */
    private static String errors(BranchStanding branch) {
        return branch.errorCodes().isEmpty()
                ? Numbers.count(branch.errors())
                : branch.errorCodes().entrySet().stream()
                        .map(one -> Numbers.count(one.getValue()) + " " + one.getKey())
                        .collect(Collectors.joining(", "));
    }
}
