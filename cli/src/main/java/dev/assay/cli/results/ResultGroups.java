package dev.assay.cli.results;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.format.ResultFormat;
import dev.assay.domain.results.inspect.InspectResults;
import dev.assay.domain.results.lmeval.LmEvalResults;
import dev.assay.domain.results.openai.EvalGraders;
import dev.assay.domain.results.openai.EvalObjects;
import dev.assay.domain.results.openai.OpenAiResults;
import dev.assay.domain.results.promptfoo.PromptfooResults;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Files of results, by what makes one campaign: several files do only where their form says so. */
public final class ResultGroups {

    private final List<OpenFile> samples = new ArrayList<>();
    private final List<OpenFile> saved = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private @Nullable OpenFile summary;

    private ResultGroups() {}

    /** Reads files as results. */
    public interface Reading {

        /** The results; reads the files once. */
        ToolResults read(ImportChoices options);
    }

    /** Files that make one campaign. */
    public record Group(List<OpenFile> files, Reading reading) {}

    /**
     * Groups files by their forms.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when one has no form that is known
     */
    public static List<Group> of(List<OpenFile> files) {
        ResultGroups all = new ResultGroups();
        files.forEach(all::add);
        all.addLmEval();
        all.addOpenAi();
        return all.groups;
    }

    /** Whether a file holds results of another tool, as far as its beginning says; a damaged one does not. */
    public static boolean areResults(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (OpenFile open = OpenFile.of(path)) {
            return ResultFormat.isMeant(open.file()) && ResultFormat.of(open.file()) != ResultFormat.OTHER;
        } catch (AssayException e) {
            // Whoever reads it says what is wrong.
            return false;
        }
    }

    /**
     * The graders of a saved eval of OpenAI as a scoring file; null: the file holds none.
     *
     * @param report learns what has no counterpart
     */
    public static @Nullable ObjectNode graders(Path path, ImportReport report) {
        if (!Files.isRegularFile(path)) {
            return null;
        }
        try (OpenFile open = OpenFile.of(path)) {
            boolean isMeant = ResultFormat.isMeant(open.file()) && ResultFormat.of(open.file()) == ResultFormat.OTHER;
            return isMeant ? EvalGraders.scoring(new EvalObjects(List.of(open.file())), report) : null;
        } catch (AssayException e) {
            // Whoever reads it as another file says what is wrong.
            return null;
        }
    }

    private void add(OpenFile open) {
        ResultFile file = open.file();
        if (!ResultFormat.isMeant(file)) {
            throw unknown(file);
        }
        switch (ResultFormat.of(file)) {
            case INSPECT -> groups.add(new Group(List.of(open), options -> new InspectResults(file, options)));
            case PROMPTFOO ->
                groups.add(new Group(
                        List.of(open), options -> new PromptfooResults(Objects.requireNonNull(file.text()), options)));
            case LM_EVAL_SAMPLES -> samples.add(open);
            case LM_EVAL_RESULTS -> {
                if (summary != null) {
                    throw BadResults.at(
                            file.name(),
                            "There is another file of the harness's results, "
                                    + summary.file().name() + "; import each run alone.");
                }
                summary = open;
            }
            case OTHER -> saved.add(open);
        }
    }

    private static AssayException unknown(ResultFile file) {
        return BadResults.at(
                file.name(),
                "It has no form of results; " + ResultFormat.KNOWN
                        + ". A configuration or samples without answers are read by: assay import");
    }

    private void addLmEval() {
        OpenFile results = summary;
        if (samples.isEmpty() && results != null) {
            throw BadResults.at(
                    results.file().name(), "It holds no samples; name the samples_*.jsonl of the run, too.");
        }
        if (!samples.isEmpty()) {
            List<OpenFile> files = new ArrayList<>(samples);
            if (results != null) {
                files.add(results);
            }
            List<ResultFile> lines = samples.stream().map(OpenFile::file).toList();
            groups.add(new Group(
                    files, options -> new LmEvalResults(lines, results == null ? null : results.file(), options)));
        }
    }

    private void addOpenAi() {
        for (OpenFile open : saved) {
            if (new EvalObjects(List.of(open.file())).isEmpty()) {
                throw unknown(open.file());
            }
        }
        if (!saved.isEmpty()) {
            List<ResultFile> files = saved.stream().map(OpenFile::file).toList();
            groups.add(new Group(
                    List.copyOf(saved),
                    options -> new OpenAiResults(files.getFirst().name(), new EvalObjects(files), options)));
        }
    }
}
