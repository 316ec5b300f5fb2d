package dev.assay.web.label;

import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.label.CellLabel;
import dev.assay.store.label.LabelFilter;
import dev.assay.store.label.LabelQueries;
import dev.assay.store.label.SampleRepository;
import dev.assay.store.label.SampleRepository.ShownItem;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.suite.CaseRepository;
import dev.assay.store.suite.CaseWindow;
import dev.assay.web.export.CsvLine;
import dev.assay.web.stream.WrittenFiles;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Labels and samples as files, written while clients read them. */
@Singleton
final class LabelFiles {

    private static final int PAGE = 500;
    private static final int ITEMS = 50;
    private static final String LABELS = "campaign,case,branch,trial,check,label,labeller,note,at\r\n";

    /** Nothing of branch, verdict or checks: who labels must not see them. */
    private static final String ITEMS_HEADER = "item,prompt,context,response,label,note\r\n";

    private final LabelQueries labels;
    private final SampleRepository samples;
    private final CaseRepository cases;
    private final WrittenFiles files;

    LabelFiles(LabelQueries labels, SampleRepository samples, CaseRepository cases, WrittenFiles files) {
        this.labels = labels;
        this.samples = samples;
        this.cases = cases;
        this.files = files;
    }

    /** All labels that a filter keeps, as an import reads them. */
    InputStream csv(StoredCampaign campaign, LabelFilter filter) {
        return files.open(out -> {
            write(out, LABELS);
            Page.<CellLabel, IOException>forEach(
                    token -> labels.page(campaign.id(), filter, PageRequest.of(token, PAGE)),
                    row -> write(
                            out,
                            CsvLine.of(Arrays.asList(
                                    campaign.id(),
                                    row.caseId(),
                                    row.branchId(),
                                    row.trial(),
                                    row.label().check(),
                                    row.label().value().text(),
                                    row.label().labeller(),
                                    row.label().note(),
                                    row.label().at()))));
        });
    }

    /** The same as JSON Lines. */
    InputStream jsonl(StoredCampaign campaign, LabelFilter filter) {
        return files.open(out -> Page.<CellLabel, IOException>forEach(
                token -> labels.page(campaign.id(), filter, PageRequest.of(token, PAGE)),
                row -> write(out, Json.write(ListedLabel.of(row)) + "\n")));
    }

    /** The items of a sample, for people to fill in. */
    InputStream sample(StoredCampaign campaign, String sampleId) {
        return files.open(out -> {
            write(out, ITEMS_HEADER);
            CaseWindow window = new CaseWindow(cases, campaign.suite().id());
            List<ShownItem> items;
            int from = 0;
            do {
                items = samples.shown(campaign, sampleId, from, ITEMS);
                for (ShownItem item : items) {
                    write(out, line(item, window.at(item.caseIndex())));
                }
                from += items.size();
            } while (items.size() == ITEMS);
        });
    }

    private static String line(ShownItem item, Case asked) {
        return CsvLine.of(
                Arrays.asList(item.name(), text(asked.prompts()), text(asked.context()), item.response(), null, null));
    }

    private static String text(List<Message> messages) {
        return messages.stream().map(Message::text).collect(Collectors.joining("\n\n"));
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
