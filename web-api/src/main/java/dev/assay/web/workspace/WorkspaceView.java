package dev.assay.web.workspace;

import io.swagger.v3.oas.annotations.media.Schema;

/**
 * A workspace.
 *
 * @param workspace as branches name it
 * @param stored whether all of it is stored
 */
@Schema(name = "Workspace")
public record WorkspaceView(String workspace, boolean stored) {}
