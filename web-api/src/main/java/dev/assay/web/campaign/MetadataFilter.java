package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what a list of campaigns is to be filtered by, as NAME=VALUE. */
final class MetadataFilter {

    private static final String PARAMETER = "metadata";

    private MetadataFilter() {}

    /**
     * The metadata that campaigns must have.
     *
     * @throws AssayException INVALID_INPUT where no campaign could have it
     */
    static CampaignMetadata of(List<String> written) {
        Map<String, String> values = new TreeMap<>();
        for (String one : written) {
            int end = one.indexOf('=');
            String name = one.substring(0, Math.max(end, 0));
            String value = one.substring(end + 1);
            String wrong = end < 0 ? "Write NAME=VALUE." : CampaignMetadata.problem(name, value);
            if (wrong == null && values.put(name, value) != null) {
                wrong = "The name `" + name + "` is given twice.";
            }
            refuse(wrong);
        }
        refuse(CampaignMetadata.countProblem(values.size()));
        return new CampaignMetadata(values);
    }

    private static void refuse(@Nullable String wrong) {
        if (wrong != null) {
            throw AssayException.invalid(
                    "A parameter of the request is not valid", List.of(new FieldError(PARAMETER, wrong)));
        }
    }
}
