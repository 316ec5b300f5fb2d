package dev.assay.domain.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.RegexRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CheckPlacesTest {

    private static final Check QUICK = new Check(new EqualsRule("a"), true);
    private static final Check DEMANDING = new Check(new RegexRule("a"), true);

    @Test
    void shouldSayOfEachKindWhereItIsEvaluated() {
        assertThat(Stream.of(CheckKinds.LINEAR, CheckKinds.DEMANDING).flatMap(kinds -> kinds.stream()))
                .containsExactlyInAnyOrderElementsOf(CheckKinds.BY_WORD.keySet().stream()
                        .filter(word -> !word.equals(GroupRule.KIND.word()))
                        .toList());
    }

    @Test
    void shouldGoWhereTheMostDemandingMemberGoesWhenItIsAGroup() {
        assertThat(group(QUICK).isQuick(CheckInput.of("x"))).isTrue();
        assertThat(group(QUICK, DEMANDING).isQuick(CheckInput.of("x"))).isFalse();
    }

    private static Check group(Check... members) {
        return new Check(new GroupRule(List.of(members), null), true);
    }

    @Test
    void shouldNotBeQuickWhenThereIsMuchToRead() {
        assertThat(QUICK.isQuick(CheckInput.of("x".repeat(1 << 20)))).isTrue();
        assertThat(QUICK.isQuick(CheckInput.of("x".repeat((1 << 20) + 1)))).isFalse();
        assertThat(new Check(new ContainsRule("a".repeat(1_000)), true).isQuick(CheckInput.of("x".repeat(1 << 20))))
                .isFalse();
    }
}
