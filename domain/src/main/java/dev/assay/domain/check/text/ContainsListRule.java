package dev.assay.domain.check.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.text.CaseFolding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The response contains all of the texts {@code value}, or any of them. */
public record ContainsListRule(@JsonIgnore Demand demand, List<String> value) implements CheckRule {

    public ContainsListRule {
        value = List.copyOf(value);
    }

    /** The number of texts that are needed, and whether upper and lower case are the same. Its functions hold no state. */
    public enum Demand {
        ALL("contains-all", true, false),
        ANY("contains-any", false, false),
        ALL_IGNORING_CASE("icontains-all", true, true),
        ANY_IGNORING_CASE("icontains-any", false, true);

        @SuppressWarnings("ImmutableEnumChecker")
        private final CheckKind kind;

        private final boolean all;
        private final boolean ignoresCase;

        Demand(String word, boolean all, boolean ignoresCase) {
            this.kind = new CheckKind(
                    word,
                    1,
                    Set.of("value"),
                    json -> new ContainsListRule(this, texts(json.get("value"))),
                    fields -> new ContainsListRule(this, ExpectedText.several(fields)));
            this.all = all;
            this.ignoresCase = ignoresCase;
        }

        private static List<String> texts(JsonNode list) {
            List<String> texts = new ArrayList<>();
            list.forEach(item -> texts.add(item.textValue()));
            return texts;
        }
    }

    /** Its kinds. */
    public static Stream<CheckKind> kinds() {
        return Arrays.stream(Demand.values()).map(demand -> demand.kind);
    }

    @Override
    public CheckKind kind() {
        return demand.kind;
    }

    @Override
    public long comparisons() {
        return value.stream().mapToLong(String::length).sum();
    }

    @Override
    public Finding find(CheckInput input) {
        String searched = folded(input.response());
        List<String> missing =
                value.stream().filter(text -> !searched.contains(folded(text))).toList();
        String how = demand.ignoresCase ? ", in upper or lower case" : "";
        String found = ", but found " + Quote.ofResponse(input.response()) + ".";
        return demand.all
                ? Finding.of(
                        missing.isEmpty(),
                        "The response contains all " + value.size() + " texts" + how + ".",
                        "Expected all of " + value.size() + " texts" + how + "; missing is "
                                + Quote.of(String.join("\", \"", missing)) + found)
                : Finding.of(
                        missing.size() < value.size(),
                        "The response contains one of " + value.size() + " texts" + how + ".",
                        "Expected one of " + Quote.of(String.join("\", \"", value)) + how + found);
    }

    private String folded(String text) {
        return demand.ignoresCase ? CaseFolding.fold(text) : text;
    }
}
