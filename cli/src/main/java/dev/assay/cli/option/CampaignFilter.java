package dev.assay.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.domain.campaign.CampaignState;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that choose campaigns of the list: those that fit every option that is given. */
public final class CampaignFilter {

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only campaigns in this state; may be given several times.")
    private List<CampaignState> states = List.of();

    @Option(
            names = "--suite",
            paramLabel = "NAME",
            description = "Only campaigns over the suite of this name; may be given several times.")
    private List<String> suites = List.of();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Only campaigns of this name; may be given several times.")
    private List<String> names = List.of();

    /** Whether every campaign fits. */
    public boolean isEmpty() {
        return states.isEmpty() && suites.isEmpty() && names.isEmpty();
    }

    /** The campaigns that fit, newest first, each with everything that the server says of it in lists. */
    public List<JsonNode> find(AssayApi api) {
        return api.campaigns(states).stream()
                .filter(campaign -> fits(suites, campaign.path("suite")) && fits(names, campaign.path("name")))
                .toList();
    }

    private static boolean fits(List<String> wanted, JsonNode value) {
        return wanted.isEmpty() || wanted.contains(value.asText());
    }
}
