package dev.assay.activities.tool;

import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text of a tool's result for a model. A note stands for what is no text. */
final class McpResult {

    private McpResult() {}

    /** Its structured content where there is one, else its contents, a line feed between them. */
    static String text(CallToolResult result) {
        Object structured = result.structuredContent();
        if (structured != null && !isError(result)) {
            return Json.write(StorableJson.of(Json.mapper().valueToTree(structured)));
        }
        return result.content().stream()
                .filter(Objects::nonNull)
                .map(McpResult::text)
                .collect(Collectors.joining("\n"));
    }

    static boolean isError(CallToolResult result) {
        return Boolean.TRUE.equals(result.isError());
    }

    private static String text(McpSchema.Content content) {
        return switch (content) {
            case McpSchema.TextContent text -> text.text();
            case McpSchema.ImageContent image -> note("image", image.mimeType(), null);
            case McpSchema.AudioContent audio -> note("audio", audio.mimeType(), null);
            case McpSchema.ResourceLink link -> note("resource", link.mimeType(), link.uri());
            case McpSchema.EmbeddedResource embedded -> text(embedded.resource());
            default -> note(content.getClass().getSimpleName(), null, null);
        };
    }

    private static String text(McpSchema.ResourceContents resource) {
        return resource instanceof McpSchema.TextResourceContents text
                ? text.text()
                : note("resource", resource.mimeType(), resource.uri());
    }

    /** Like {@code [image, image/png, not shown]}. */
    private static String note(String kind, @Nullable String type, @Nullable String address) {
        return "[" + kind + part(type) + part(address) + ", not shown]";
    }

    private static String part(@Nullable String text) {
        return text == null || text.isBlank() ? "" : ", " + text;
    }
}
