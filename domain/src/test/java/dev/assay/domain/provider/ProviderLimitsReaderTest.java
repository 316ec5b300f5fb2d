package dev.assay.domain.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPattern;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProviderLimitsReaderTest {

    private static final String FILE = """
        providers:
          openai:
            maxConcurrent: 500
            keys:
              - {name: main, variable: OPENAI_API_KEY}
              - {name: second, variable: OPENAI_KEY_B, weight: 2, account: main}
            limits:
              - {models: "gpt-6.1*", requestsPerMinute: 5000, tokensPerMinute: 2000000, concurrent: {min: 2, start: 20, max: 400}}
              - {models: "o5", requestsPerDay: 10000000000, concurrent: 7, countOutput: produced, cacheReadsCount: false, burstSeconds: 60, learn: false}
              - {models: "*", concurrent: {start: 3}}
          anthropic:
            limits: [{models: "*", outputTokensPerMinute: 8000}]
        """;

    private final Problems problems = new Problems();

    private static ProviderSettings builtIn(ProviderType type) {
        return new ProviderSettings(
                type.word(),
                type,
                URI.create(type.publicUrl()),
                type.keyVariables().getFirst(),
                1_000,
                4_096,
                Map.of());
    }

    private Map<String, ProviderSettings> read(String yaml) {
        return ProviderSettingsReader.read(
                DocumentText.parse(yaml),
                Map.of("openai", builtIn(ProviderType.OPENAI), "anthropic", builtIn(ProviderType.ANTHROPIC)),
                problems);
    }

    private ProviderSettings read(String yaml, String provider) {
        ProviderSettings settings = read(yaml).get(provider);
        assertThat(problems.errors()).isEmpty();
        return settings;
    }

    @Test
    void shouldReadKeysWhenAProviderHasSeveral() {
        ProviderSettings openai = read(FILE, "openai");

        assertThat(openai.keys())
                .containsExactly(
                        new ProviderKey("main", "OPENAI_API_KEY", 1, "main"),
                        new ProviderKey("second", "OPENAI_KEY_B", 2, "main"));
        assertThat(openai.keyVariable()).isEqualTo("OPENAI_API_KEY");
    }

    @Test
    void shouldHaveOneKeyOrNoneWhenTheFileNamesNone() {
        assertThat(read(FILE, "anthropic").keys())
                .containsExactly(new ProviderKey("default", "ANTHROPIC_API_KEY", 1, "default"));
        assertThat(read("providers: {local: {type: openai, baseUrl: 'http://h', keyless: true}}", "local")
                        .keys())
                .isEmpty();
    }

    @Test
    void shouldReadLimitsWhenGroupsOfModelsHaveSome() {
        ProviderSettings openai = read(FILE, "openai");

        assertThat(openai.limitsOf("gpt-6.1-terra"))
                .isEqualTo(new ModelLimits(
                        new ModelPattern("gpt-6.1*"),
                        Map.of(LimitKind.REQUESTS_PER_MINUTE, 5_000L, LimitKind.TOKENS_PER_MINUTE, 2_000_000L),
                        new ConcurrencyRange(2, 20, 400),
                        new CountingRules(OutputCounting.ASKED, true),
                        2,
                        true));
        assertThat(openai.limitsOf("o5"))
                .isEqualTo(new ModelLimits(
                        new ModelPattern("o5"),
                        Map.of(LimitKind.REQUESTS_PER_DAY, 10_000_000_000L),
                        new ConcurrencyRange(7, 7, 7),
                        new CountingRules(OutputCounting.PRODUCED, false),
                        60,
                        false));
        assertThat(openai.limitsOf("another").concurrent()).isEqualTo(new ConcurrencyRange(1, 3, 500));
    }

    @Test
    void shouldCountAsItsApiDoesWhenAProviderSaysNothingElse() {
        assertThat(read(FILE, "anthropic").limitsOf("claude").counting())
                .isEqualTo(new CountingRules(OutputCounting.PRODUCED, false));
    }

    @Test
    void shouldMakeAGroupOfItsOwnWhenAModelIsInNone() {
        assertThat(builtIn(ProviderType.OPENAI).limitsOf("o5-mini"))
                .isEqualTo(new ModelLimits(
                        new ModelPattern("o5-mini"),
                        Map.of(),
                        new ConcurrencyRange(1, 1_000, 1_000),
                        new CountingRules(OutputCounting.ASKED, true),
                        2,
                        true));
    }

    private static final Map<String, ProviderSettings> BUILT_IN = Map.of("openai", builtIn(ProviderType.OPENAI));

    @Test
    void shouldOfferLimitsThatStandStill() {
        ProviderSettings openai = ProviderSettingsReader.read(
                        DocumentText.parse("providers: {openai: {limits: [{models: 'gpt*', requestsPerMinute: 60,"
                            + " countOutput: produced, cacheReadsCount: false, burstSeconds: 9, concurrent: 7, learn:"
                            + " false}, {models: 'o*', concurrent: {min: 2, start: 5, max: 9}}, {models: '*',"
                            + " tokensPerDay: 5}]}}"),
                        BUILT_IN,
                        problems)
                .get("openai");

        assertThat(problems.errors()).isEmpty();
        assertThat(openai.info(true).limits())
                .containsExactly(
                        new LimitsInfo("gpt*", Map.of("requestsPerMinute", 60L), 9, 7, null, null, false),
                        new LimitsInfo("o*", Map.of(), 2, 9, 2, 5, null),
                        new LimitsInfo("*", Map.of("tokensPerDay", 5L), 2, null));
        assertThat(openai.keys()).containsExactly(new ProviderKey("default", "OPENAI_API_KEY", 1, "default"));
    }

    @Test
    void shouldRefuseAKeyWithoutItsVariable() {
        ProviderSettingsReader.read(
                DocumentText.parse("providers: {openai: {keys: [{name: a}], limits: [{models: a, learn: true,"
                        + " concurrent: {min: 2, start: 5, max: 9}}]}}"),
                BUILT_IN,
                problems);

        assertThat(problems.errors()).extracting(FieldError::path).containsExactly("providers.openai.keys[0].variable");
    }

    static List<Arguments> wrong() {
        return List.of(
                Arguments.of("keys: []", List.of("keys")),
                Arguments.of("keys: {name: a}", List.of("keys")),
                Arguments.of("keys: [5, {name: a, variable: A}]", List.of("keys[0]")),
                Arguments.of("keys: [{}]", List.of("keys[0].name", "keys[0].variable")),
                Arguments.of("keys: [{name: a, variable: A}, {name: a, variable: B}]", List.of("keys[1].name")),
                Arguments.of(
                        "keys: [{name: 'a b', variable: sk-secret, weight: 0, account: '', wait: 5}]",
                        List.of(
                                "keys[0].wait",
                                "keys[0].name",
                                "keys[0].variable",
                                "keys[0].weight",
                                "keys[0].account")),
                Arguments.of("keys: [{name: a, variable: A, weight: 1001}]", List.of("keys[0].weight")),
                Arguments.of("keys: [{name: " + "a".repeat(65) + ", variable: A}]", List.of("keys[0].name")),
                Arguments.of("keys: [{name: \"a\\0\", variable: A}]", List.of("keys[0].name")),
                Arguments.of("keyVariable: A\n    keys: [{name: a, variable: A}]", List.of("keys")),
                Arguments.of("keyless: true\n    keys: [{name: a, variable: A}]", List.of("keys")),
                Arguments.of("limits: 5", List.of("limits")),
                Arguments.of("limits: [{requestsPerMinute: 5}]", List.of("limits[0].models")),
                Arguments.of(
                        "limits: [{models: '', requestsPerHour: 5}]",
                        List.of("limits[0].requestsPerHour", "limits[0].models")),
                Arguments.of("limits: [{models: a}, {models: b}, {models: a}]", List.of("limits[2].models")),
                Arguments.of(
                        "limits: [{models: a, requestsPerMinute: 0, tokensPerDay: 10000000001, inputTokensPerDay:"
                                + " 1.5}]",
                        List.of(
                                "limits[0].requestsPerMinute",
                                "limits[0].inputTokensPerDay",
                                "limits[0].tokensPerDay")),
                Arguments.of("limits: [{models: a, concurrent: 0}]", List.of("limits[0].concurrent")),
                Arguments.of("limits: [{models: a, concurrent: many}]", List.of("limits[0].concurrent")),
                Arguments.of(
                        "limits: [{models: a, concurrent: {min: 9, max: 3}}]", List.of("limits[0].concurrent.min")),
                Arguments.of(
                        "limits: [{models: a, concurrent: {min: 2, start: 1, max: 3}}]",
                        List.of("limits[0].concurrent.start")),
                Arguments.of(
                        "limits: [{models: a, concurrent: {start: 4, max: 3}}]", List.of("limits[0].concurrent.start")),
                Arguments.of(
                        "limits: [{models: a, concurrent: {min: 0, max: 100001, most: 5}}]",
                        List.of("limits[0].concurrent.most", "limits[0].concurrent.max", "limits[0].concurrent.min")),
                Arguments.of(
                        "limits: [{models: a, countOutput: written, cacheReadsCount: 1, burstSeconds: 61, learn: no}]",
                        List.of(
                                "limits[0].countOutput",
                                "limits[0].cacheReadsCount",
                                "limits[0].burstSeconds",
                                "limits[0].learn")));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void shouldReportEveryErrorWithItsPath(String fields, List<String> paths) {
        read("providers:\n  openai:\n    " + fields);

        assertThat(problems.errors().stream().map(FieldError::path).toList())
                .isEqualTo(paths.stream().map("providers.openai."::concat).toList());
        assertThat(problems.errors())
                .extracting(FieldError::message)
                .noneMatch(message -> message.contains("sk-secret"));
    }

    @Test
    void shouldReportListsWhenTheyAreTooLong() {
        StringBuilder yaml = new StringBuilder("providers:\n  openai:\n    keys:\n");
        for (int i = 0; i < 51; i++) {
            yaml.append("      - {name: k").append(i).append(", variable: A}\n");
        }
        yaml.append("    limits:\n");
        for (int i = 0; i < 101; i++) {
            yaml.append("      - {models: m").append(i).append("}\n");
        }

        read(yaml.toString());

        assertThat(problems.errors())
                .extracting(FieldError::path)
                .containsExactly("providers.openai.keys", "providers.openai.limits");
    }
}
