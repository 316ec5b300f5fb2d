package dev.assay.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.inspect.InspectBranch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of other tools as anybody may have damaged them. */
class ForeignFileFuzzTest {

    private static final int ROUNDS = 150;

    private static final ForeignFile.Choices CHOICES = new ForeignFile.Choices(
            true,
            List.of(new InspectBranch("echo")),
            null,
            new ForeignFile.Code(false, List.of()),
            () -> ImportDefaults.NONE);

    private static final Map<String, String> FILES = Map.of(
            "promptfooconfig.yaml",
            """
            prompts: [file://p.txt, 'Say {{a}}', [{role: user, content: "{{a}}"}]]
            providers: [echo, {id: 'openai:gpt-5', config: {temperature: 0}}, {id: https, config: {url: 'http://h/{{a}}', body: {q: '{{prompt}}'}, method: POST, transformResponse: json.a[0]}}]
            assertionTemplates: {t: &t {type: regex, value: '(?<n>a+)b?$'}}
            defaultTest: {assert: [{$ref: '#/assertionTemplates/t'}], vars: {b: [x, y]}}
            scenarios: [file://s.yaml, {config: [{vars: {a: 1}}], tests: tests.csv}]
            tests: [tests.csv, tests.jsonl, tests.json, {vars: {a: file://p.txt}, assert: [{type: assert-set, threshold: 0.5, assert: [*t, {type: is-json, value: {type: object}}]}]}]
            evaluateOptions: {repeat: 2, timeoutMs: 1000}
            """,
            "promptfooconfig.json",
            "{\"prompts\": [\"{{a}}\"], \"providers\": [\"echo\"], \"tests\": [{\"vars\": {\"a\": \"\\u00e9\"},"
                    + " \"assert\": [{\"type\": \"contains-any\", \"value\": [\"x\", 1]}]}]}",
            "tests.csv",
            "a,__expected,__metadata:k,__config:__expected:threshold\n"
                    + "\"x, \"\"y\"\"\",icontains:x,m,1\n"
                    + "é,\"levenshtein(2): z\",,\n",
            "tests.jsonl",
            "{\"vars\": {\"a\": \"1\"}}\n"
                    + "{\"vars\": {\"a\": [\"2\", \"3\"]}, \"assert\": [{\"type\": \"equals\", \"value\": \"2\"}]}\n",
            "tests.json",
            "[{\"vars\": {\"a\": \"1\"}, \"threshold\": 0.5}]",
            "s.yaml",
            "{config: [{vars: {a: x}}], tests: [{assert: [{type: word-count, value: {min: 1}}]}]}",
            "p.txt",
            "A {{a}}\n---\n{% for x in b %}{{x}}{% endfor %}\n",
            "samples.csv",
            "input,target,id,choices\n\"Capital?\",Paris,1,\"[\"\"A\"\", \"\"B\"\"]\"\n",
            "samples.jsonl",
            "{\"input\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"target\": [\"a\", \"b\"], \"choices\": [\"x\","
                    + " \"y\"]}\n",
            "samples.json",
            "[{\"input\": \"Capital?\", \"ideal\": \"Paris\", \"metadata\": {\"n\": 1}}]");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "promptfooconfig.yaml",
                "promptfooconfig.json",
                "tests.csv",
                "tests.jsonl",
                "tests.json",
                "s.yaml",
                "p.txt",
                "samples.csv",
                "samples.jsonl",
                "samples.json"
            })
    void shouldEndInTypedErrorsAndInTimeWhenAFileIsDamaged(String damaged) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
        boolean isSample = damaged.startsWith("samples") || damaged.endsWith("config.json");
        Path imported = directory.resolve(isSample ? damaged : "promptfooconfig.yaml");
        Random random = new Random(damaged.hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = damaged(FILES.getOrDefault(damaged, ""), random);
            Files.write(directory.resolve(damaged), bytes);
            String what = damaged + " in round " + round + ": " + new String(bytes, StandardCharsets.ISO_8859_1);

            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> read(imported, what), what);
        }
    }

    private static void read(Path file, String what) {
        try {
            ForeignFile read = ForeignFile.find(file, CHOICES);
            if (read != null) {
                var _ = CampaignReader.readForServer(read.document());
            }
        } catch (AssayException e) {
            assertThat(e.code()).as(what).isIn(ErrorCode.INVALID_INPUT, ErrorCode.MALFORMED_INPUT);
            assertThat(e.failure().message()).as(what).isNotBlank();
            assertThat(e.errors())
                    .as(what)
                    .allSatisfy(error -> assertThat(error.message()).isNotBlank());
        }
    }

    /** One file in ten is noise; the others lose, gain and repeat pieces. */
    private static byte[] damaged(String text, Random random) {
        if (random.nextInt(10) == 0) {
            byte[] noise = new byte[random.nextInt(400)];
            random.nextBytes(noise);
            return noise;
        }
        List<Byte> bytes = new ArrayList<>();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            bytes.add(one);
        }
        for (int i = 1 + random.nextInt(4); i > 0 && !bytes.isEmpty(); i--) {
            int at = random.nextInt(bytes.size());
            int to = Math.min(bytes.size(), at + 1 + random.nextInt(30));
            switch (random.nextInt(5)) {
                case 0 -> bytes.set(at, (byte) random.nextInt(256));
                case 1 -> bytes.subList(at, to).clear();
                case 2 -> bytes.addAll(at, new ArrayList<>(bytes.subList(at, to)));
                case 3 -> bytes.add(at, (byte) "\u0000[]{}\"':,-&*#\n|>%".charAt(random.nextInt(17)));
                default -> bytes.subList(at, bytes.size()).clear();
            }
        }
        byte[] changed = new byte[bytes.size()];
        for (int i = 0; i < changed.length; i++) {
            changed[i] = bytes.get(i);
        }
        return changed;
    }
}
