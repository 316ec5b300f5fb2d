package dev.assay.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels, samples and calibration. Failures are those of {@link AssayApi}. */
public final class LabelsApi {

    private final AssayApi api;

    LabelsApi(AssayApi api) {
        this.api = api;
    }

    /** Labels an answer; returns the labels of its cell. */
    public JsonNode put(String campaign, String caseId, String branch, int trial, JsonNode label) {
        return api.put(
                one(campaign) + "/labels/" + AssayApi.encoded(caseId) + "/" + AssayApi.encoded(branch) + "/" + trial,
                label);
    }

    /**
     * Sends a file of labels.
     *
     * @param campaign of lines that name none; null: each names one
     * @param query as the API takes it
     */
    public JsonNode upload(@Nullable String campaign, Map<String, String> query, Path file) {
        return api.upload(
                (campaign == null ? "" : one(campaign)) + "/labels" + AssayApi.query(query), "text/csv", file);
    }

    /** Hands over all labels of a campaign as CSV. */
    public void download(String campaign, AssayApi.Reading<?> reading) {
        api.file(one(campaign) + "/labels?format=csv", reading);
    }

    /** Whether answers of a campaign have labels. */
    public boolean any(String campaign) {
        return !api.get(one(campaign) + "/labels?pageSize=1").path("items").isEmpty();
    }

    /** Makes a sample. */
    public JsonNode sample(String campaign, JsonNode asked) {
        return api.post(one(campaign) + "/label-samples", asked);
    }

    /** Hands over the items of a sample as CSV. */
    public void downloadSample(String campaign, String sample, AssayApi.Reading<?> reading) {
        api.file(one(campaign) + "/label-samples/" + AssayApi.encoded(sample) + "?format=csv", reading);
    }

    /**
     * What labels say of evaluators.
     *
     * @param query as the API takes it
     */
    public JsonNode calibration(String campaign, Map<String, String> query) {
        return api.get(one(campaign) + "/calibration" + AssayApi.query(query));
    }

    private static String one(String campaign) {
        return "/campaigns/" + AssayApi.encoded(campaign);
    }
}
