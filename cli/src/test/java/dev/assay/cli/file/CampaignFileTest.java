package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignFileTest {

    private static final String REPLAY = """
        name: capitals
        suite: suites/%s
        branches:
          - {id: a, kind: replay, model: m, cassette: answers.jsonl}
        strategy: {type: llm-judge, judge: {kind: replay, model: m, cassette: answers.jsonl}}
        """;

    @TempDir
    Path directory;

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        return Files.writeString(file, text);
    }

    @Test
    void shouldInlineSuiteAndCassettesWhenADirectoryIsNamed() throws IOException {
        write("campaign.yaml", REPLAY.formatted("cases.yaml"));
        write("suites/cases.yaml", "- {id: france, prompt: Capital?}\n- {id: spain, prompt: Capital?}\n");
        write("answers.jsonl", "{\"key\": \"1\"}\n\n{\"key\": \"2\"}\n");
        JsonNode document = CampaignFile.load(directory).document();
        assertThat(document.at("/suite/name").textValue()).isEqualTo("cases");
        assertThat(document.at("/suite/cases")).hasSize(2);
        assertThat(document.at("/branches/0/cassette")).hasSize(2);
        assertThat(document.at("/strategy/judge/cassette/1/key").textValue()).isEqualTo("2");
    }

    @Test
    void shouldReadSuitesAsObjectsAndJsonLinesWhenWrittenSo() throws IOException {
        write("answers.jsonl", "{\"key\": \"1\"}");
        write("suites/own.json", "{\"name\": \"own\", \"cases\": [{\"id\": \"a\"}], \"checks\": []}");
        write("suites/lines.jsonl", "{\"id\": \"a\"}\n{\"id\": \"b\"}\n");
        JsonNode object = CampaignFile.load(write("object.yaml", REPLAY.formatted("own.json")))
                .document();
        assertThat(object.at("/suite/name").textValue()).isEqualTo("own");
        JsonNode lines = CampaignFile.load(write("lines.yaml", REPLAY.formatted("lines.jsonl")))
                .document();
        assertThat(lines.at("/suite/name").textValue()).isEqualTo("lines");
        assertThat(lines.at("/suite/cases")).hasSize(2);
    }

    @Test
    void shouldNameEachFieldWhenFilesThatItNamesCannotBeUsed() throws IOException {
        Path file = write("campaign.yaml", REPLAY.formatted("none.yaml"));
        write("answers.jsonl", "{\"key\": \"1\"}\nnot json\n");
        AssayException failure = catchThrowableOfType(
                AssayException.class, () -> CampaignFile.load(file).requireFiles());
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(failure.errors())
                .extracting(FieldError::path)
                .containsExactly("suite", "branches[0].cassette", "strategy.judge.cassette");
        assertThat(failure.errors().getFirst().message())
                .contains("There is no file")
                .contains("none.yaml");
        assertThat(failure.errors().get(1).message()).contains("line 2");
    }

    @Test
    void shouldRefuseWhenTheFileIsNoCampaignAtAll() throws IOException {
        assertThat(refusal(directory)).contains("holds no campaign.yaml");
        assertThat(refusal(write("list.yaml", "- 1\n"))).contains("must hold a campaign");
        Path binary = directory.resolve("binary.yaml");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(refusal(binary)).contains("not UTF-8");
    }

    private static String refusal(Path file) {
        return String.valueOf(catchThrowableOfType(AssayException.class, () -> CampaignFile.load(file))
                .getMessage());
    }
}
