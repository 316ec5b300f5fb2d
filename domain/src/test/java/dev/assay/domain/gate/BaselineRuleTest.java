package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BaselineRuleTest {

    @ParameterizedTest
    @CsvSource({
        "'', b, a b c, b",
        "'', x, a, a",
        "'', x, a b, ",
        "'', x, '', ",
        "c, b, a b c, c",
        "gone, b, a b, gone",
    })
    void shouldCompareWithTheNamedBranchElseTheSameElseTheOnlyOne(
            String named, String gated, String known, @Nullable String counterpart) {
        BaselineRule rule = new BaselineRule("earlier", named.isEmpty() ? null : named, 0);

        assertThat(rule.counterpart(gated, known.isEmpty() ? List.of() : List.of(known.split(" "))))
                .isEqualTo(counterpart);
    }
}
