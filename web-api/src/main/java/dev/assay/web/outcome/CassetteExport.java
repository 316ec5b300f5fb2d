package dev.assay.web.outcome;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.replay.Recording;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.OutcomeStreams;
import dev.assay.store.result.RecordedAnswer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what a campaign recorded as a cassette, while it is read from the store. */
@Singleton
final class CassetteExport {

    /** JSON Lines. */
    static final String MEDIA_TYPE = "application/x-ndjson";

    private final OutcomeStreams outcomes;

    CassetteExport(OutcomeStreams outcomes) {
        this.outcomes = outcomes;
    }

    /**
     * The lines of the cassette. They are written to a temporary file first, which goes when the stream is closed: a failure is
     * known before the first line is sent, and a slow client holds no database connection.
     */
    InputStream open(StoredCampaign campaign) {
        try {
            Path file = Files.createTempFile("assay-cassette-", ".jsonl");
            try (Writer writer = Files.newBufferedWriter(file)) {
                write(campaign, writer);
            } catch (IOException | RuntimeException e) {
                Files.delete(file);
                throw e;
            }
            return Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(StoredCampaign campaign, Writer writer) {
        Set<Question> written = new HashSet<>();
        outcomes.recordedAnswers(
                campaign.id(),
                answer -> entries(campaign.definition(), answer).stream()
                        // Two branches that ask the same thing are one question; a cassette answers it once.
                        .filter(entry -> written.add(new Question(entry.key(), entry.trial())))
                        .forEach(entry -> line(writer, entry)));
    }

    private static void line(Writer writer, CassetteEntry entry) {
        try {
            writer.write(Json.write(entry) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<CassetteEntry> entries(CampaignDefinition definition, RecordedAnswer answer) {
        return switch (answer) {
            case RecordedAnswer.OfBranch of -> {
                Branch branch = definition.branches().get(of.branchIndex());
                yield entries(
                        AskedModel.of(branch.agent()),
                        branch.systemPrompt(),
                        branch.tools().declared(),
                        of.context(),
                        of.newMessages(),
                        of);
            }
            case RecordedAnswer.OfJudge of ->
                entries(
                        definition
                                .judging()
                                .flatMap(policy ->
                                        AskedModel.of(policy.judgeOf(of.slot()).agent())),
                        of.systemPrompt(),
                        List.of(),
                        List.of(),
                        List.of(Message.user(of.prompt()), Message.assistant(of.reply())),
                        of);
        };
    }

    private static List<CassetteEntry> entries(
            Optional<ModelChoice> asked,
            @Nullable String systemPrompt,
            List<ToolSpec> tools,
            List<Message> context,
            List<Message> newMessages,
            RecordedAnswer answer) {
        return asked.stream()
                .map(choice -> new Recording(
                        choice,
                        systemPrompt,
                        tools,
                        answer.trial(),
                        context,
                        newMessages,
                        answer.usage(),
                        answer.costUsd(),
                        Duration.ofMillis(answer.latencyMs())))
                .flatMap(recording -> recording.entries().stream())
                .toList();
    }

    private record Question(String key, int trial) {}
}
