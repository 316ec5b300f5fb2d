package dev.assay.cli.results;

import dev.assay.domain.results.form.ResultOptions;
import dev.assay.domain.results.form.ToolResults;
import dev.assay.domain.results.format.ResultFormat;
import dev.assay.domain.results.inspect.InspectResults;
import dev.assay.domain.results.lmeval.LmEvalResults;
import dev.assay.domain.results.openai.EvalObjects;
import dev.assay.domain.results.openai.OpenAiResults;
import dev.assay.domain.results.promptfoo.PromptfooResults;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.ResultFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Files of results, by what makes one campaign: several files do only where their form says so. */
final class ResultGroups {

    private final List<OpenFile> samples = new ArrayList<>();
    private final List<OpenFile> saved = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private @Nullable OpenFile summary;

    private ResultGroups() {}

    /** Reads files as results. */
    interface Reading {

        /** The results; reads the files once. */
        ToolResults read(ResultOptions options);
    }

    /** Files that make one campaign. */
    record Group(List<OpenFile> files, Reading reading) {}

    /**
     * Groups files by their forms.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when one has no form that is known
     */
    static List<Group> of(List<OpenFile> files) {
        ResultGroups all = new ResultGroups();
        files.forEach(all::add);
        all.addLmEval();
        all.addOpenAi();
        return all.groups;
    }

    private void add(OpenFile open) {
        ResultFile file = open.file();
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
                throw BadResults.at(
                        open.file().name(),
                        "It has no form of results; " + ResultFormat.KNOWN
                                + ". A configuration or samples without answers are read by: assay import");
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
