package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.tool.CodeAllowance;
import java.util.List;

/**
 * A campaign file that was read and found valid.
 *
 * @param cassettes recorded answers that its replay agents name
 * @param document the file as it is stored: without cases, cassettes by their id; {@link CampaignReader#readStored} reads it
 *     back to {@code definition}
 * @param stop when it stops asking; no part of the document, which older builds without such rules must read
 * @param order the order of its cases; no part of the document either
 * @param metadata what its author notes; no part of the document either
 */
public record CampaignSubmission(
        CampaignDefinition definition,
        Suite suite,
        List<Cassette> cassettes,
        JsonNode document,
        StopRule stop,
        OrderRule order,
        List<CampaignWarning.Code> warnings,
        CampaignMetadata metadata) {

    public CampaignSubmission {
        cassettes = List.copyOf(cassettes);
        warnings = List.copyOf(warnings);
    }

    /** One that asks every cell, in the order of the file, and of which there is nothing to know. */
    public CampaignSubmission(CampaignDefinition definition, Suite suite, List<Cassette> cassettes, JsonNode document) {
        this(definition, suite, cassettes, document, StopRule.NONE, OrderRule.GIVEN, List.of(), CampaignMetadata.NONE);
    }

    /** What its own code needs. */
    public CodeAllowance codeNeeds() {
        return CodeRules.needs(definition, suite);
    }

    /** The same with what its author should know. */
    CampaignSubmission warning(List<CampaignWarning.Code> more) {
        return new CampaignSubmission(definition, suite, cassettes, document, stop, order, more, metadata);
    }
}
