package dev.assay.domain.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.BatchPrice;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSettingsReaderTest {

    private final Problems problems = new Problems();

    private ProviderSettings read(String type, String fields) {
        String yaml = "providers: {p: {type: %s, baseUrl: 'http://localhost:1', keyless: true, %s}}";
        return ProviderSettingsReader.read(DocumentText.parse(yaml.formatted(type, fields)), Map.of(), problems)
                .get("p");
    }

    private BatchSettings batches(String type, String fields) {
        BatchSettings batches = read(type, fields).batches();
        assertThat(problems.errors()).isEmpty();
        return Objects.requireNonNull(batches);
    }

    @ParameterizedTest
    @CsvSource({"openai, 209715200", "anthropic, 268435456", "google, 2147483648"})
    void shouldTakeBatchesWhenTheTypeHasSomeAndNothingIsWritten(String type, long bytes) {
        assertThat(batches(type, "maxConcurrent: 1")).isEqualTo(new BatchSettings(10_000, bytes, 10, 0, null, 3, 20));
    }

    @ParameterizedTest
    @CsvSource({"openai-responses", "mistral", "ollama"})
    void shouldTakeNoBatchesWhenTheTypeHasNone(String type) {
        assertThat(read(type, "batches: off").batches()).isNull();
        assertThat(problems.errors()).isEmpty();

        read(type, "batches: {rounds: 1}");

        assertThat(problems.errors())
                .containsExactly(new FieldError(
                        "providers.p.batches",
                        "Providers of type " + type + " have no batches; remove `batches` or the type."));
    }

    @Test
    void shouldReadEachBoundWhenItIsWritten() {
        assertThat(batches(
                        "anthropic",
                        "batches: {maxLines: 100000, maxBytes: 1, maxOut: 100, enqueuedTokens: 1, poll: 1s, rounds: 20,"
                                + " minimum: 1000000}"))
                .isEqualTo(new BatchSettings(100_000, 1, 100, 1, Duration.ofSeconds(1), 20, 1_000_000));
        assertThat(batches("openai", "batches: {poll: PT1H}").poll()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void shouldTakeNoBatchesWhenTheyAreOff() {
        assertThat(read("openai", "batches: off").batches()).isNull();
        assertThat(read("google", "batches: false").batches()).isNull();
        assertThat(problems.errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        openai    | maxLines: 50001         | maxLines
        anthropic | maxLines: 100001        | maxLines
        google    | maxLines: 50001         | maxLines
        openai    | maxLines: 0             | maxLines
        openai    | maxBytes: 209715201     | maxBytes
        anthropic | maxBytes: 268435457     | maxBytes
        google    | maxBytes: 2147483649    | maxBytes
        openai    | maxOut: 101             | maxOut
        openai    | maxOut: 0               | maxOut
        openai    | enqueuedTokens: 0       | enqueuedTokens
        openai    | poll: 999ms             | poll
        openai    | poll: 0s                | poll
        openai    | poll: 61m               | poll
        openai    | poll: PT-1S             | poll
        openai    | poll: 5                 | poll
        openai    | rounds: 21              | rounds
        openai    | rounds: 1.5             | rounds
        openai    | minimum: 1000001        | minimum
        openai    | minimum: '7'            | minimum
        openai    | maxline: 7              | maxline
        """)
    void shouldNameTheFieldWhenABoundIsOutOfItsRange(String type, String field, String path) {
        read(type, "batches: {" + field + "}");

        assertThat(problems.errors()).extracting(FieldError::path).containsExactly("providers.p.batches." + path);
    }

    @ParameterizedTest
    @CsvSource({"on", "true", "7", "[]"})
    void shouldNameTheFieldWhenItIsNoObject(String written) {
        read("openai", "batches: " + written);

        assertThat(problems.errors())
                .containsExactly(new FieldError(
                        "providers.p.batches",
                        "`batches` must be `off`, or an object with fields such as maxLines, maxOut."));
    }

    @Test
    void shouldTellServersOfBatchesWhenWorkersReportAProvider() {
        ProviderInfo info = read(
                        "openai", "batches: {poll: 90s}, prices: {m: {input: 2, output: 8, batch: {input: 1}}}")
                .info(true);

        assertThat(Json.read(Json.write(info), ProviderInfo.class)).isEqualTo(info);
        assertThat(Objects.requireNonNull(info.batches()).poll()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void shouldReadAProviderThatKnowsNoBatchesWhenAnEarlierBuildReportsIt() {
        ProviderInfo info = read("openai", "batches: off, prices: {m: {input: 2, output: 8}}")
                .info(true);

        assertThat(Json.write(info)).doesNotContain("batch");
        assertThat(Json.read(Json.write(info), ProviderInfo.class).batches()).isNull();
    }

    private Price price(String batch) {
        return Objects.requireNonNull(
                read("openai", "prices: {m: {input: 2, output: 8, cacheRead: 0.2, batch: %s}}".formatted(batch))
                        .price("m"));
    }

    private static Price of(String input, String output, String cacheRead, String cacheWrite) {
        return new Price(
                new BigDecimal(input), new BigDecimal(output), new BigDecimal(cacheRead), new BigDecimal(cacheWrite));
    }

    @Test
    void shouldAssumeHalfWhenNoPriceOfBatchesIsWritten() {
        assertThat(price("null").ofBatch()).isEqualTo(new BatchPrice(of("1.0", "4.0", "0.10", "1.0"), true));
    }

    @Test
    void shouldTakeAFactorOfEachPriceWhenOneIsWritten() {
        assertThat(price("0.25").ofBatch()).isEqualTo(new BatchPrice(of("0.50", "2.00", "0.050", "0.50"), false));
    }

    @Test
    void shouldAssumeHalfOfWhatIsMissingWhenPricesOfBatchesAreWritten() {
        assertThat(price("{input: 1.5}").ofBatch()).isEqualTo(new BatchPrice(of("1.5", "4.0", "0.10", "1.0"), true));
        assertThat(price("{input: 1, output: 3, cacheRead: 0, cacheWrite: 1}").ofBatch())
                .isEqualTo(new BatchPrice(of("1", "3", "0", "1"), false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -0.5         | batch
        1.5          | batch
        half         | batch
        '[0.5]'      | batch
        {input: -1}  | batch.input
        {output: x}  | batch.output
        {cached: 1}  | batch.cached
        """)
    void shouldNameTheFieldWhenAPriceOfBatchesIsWrong(String batch, String path) {
        price(batch);

        assertThat(problems.errors()).extracting(FieldError::path).containsExactly("providers.p.prices.m." + path);
    }
}
