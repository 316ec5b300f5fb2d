package dev.assay.web.server;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The version and addresses of this server.
 *
 * @param version of Assay
 * @param temporalUi base URL of Temporal's pages; null: there are none, or their address is unknown
 * @param namespace Temporal's namespace
 * @param temporalCampaign address of a campaign's workflow in Temporal's pages, with {@code {id}} for the campaign; null as above
 */
@Schema(name = "Server")
public record ServerView(
        String version,
        @Nullable String temporalUi,
        String namespace,
        @Nullable String temporalCampaign) {}
