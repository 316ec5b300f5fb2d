package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.provider.delivery.BatchCalls.Said;
import dev.assay.domain.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;

/** Gemini's files, which lie beside the address for OpenAI's clients. */
record GoogleFiles(BatchCalls calls) implements BatchFiles {

    /** What Google's base URL adds to its root. */
    private static final String FOR_OPENAI = "/v1beta/openai";

    /** A request to Google's own API, below its root. */
    HttpRequest.Builder to(String path) {
        String url = calls.settings().apiUrl();
        String root = url.endsWith(FOR_OPENAI) ? url.substring(0, url.length() - FOR_OPENAI.length()) : url;
        return withKey(HttpRequest.newBuilder(URI.create(root + path)));
    }

    private HttpRequest.Builder withKey(HttpRequest.Builder request) {
        return calls.key() == null
                ? request
                : request.header("x-goog-api-key", calls.key().value());
    }

    /** The upload is begun, and then sent to the address that the answer names; never to another host. */
    @Override
    public String upload(Path file) throws BatchCallException, InterruptedException {
        long size = BatchFiles.size(file);
        ObjectNode named = Json.mapper().createObjectNode();
        named.putObject("file").put("display_name", "batch.jsonl");
        Said begun = calls.done(BatchCalls.posting(
                to("/upload/v1beta/files")
                        .header("X-Goog-Upload-Protocol", "resumable")
                        .header("X-Goog-Upload-Command", "start")
                        .header("X-Goog-Upload-Header-Content-Length", Long.toString(size))
                        .header("X-Goog-Upload-Header-Content-Type", "application/jsonl"),
                named));
        HttpRequest content = withKey(HttpRequest.newBuilder(calls.onHost(address(begun))))
                .header("X-Goog-Upload-Offset", "0")
                .header("X-Goog-Upload-Command", "upload, finalize")
                .POST(OpenAiFiles.content(file))
                .build();
        Said said = calls.send(content, size);
        String id = BatchCalls.id(said.body().at("/file/name"));
        if (id == null) {
            throw calls.unusable(said);
        }
        return id;
    }

    /** The path and query of the address to which the content goes. */
    private String address(Said begun) throws BatchCallException {
        try {
            URI address = URI.create(String.valueOf(begun.header("X-Goog-Upload-URL")));
            if (address.getRawPath() != null && address.getRawPath().startsWith("/")) {
                return address.getRawQuery() == null
                        ? address.getRawPath()
                        : address.getRawPath() + "?" + address.getRawQuery();
            }
        } catch (IllegalArgumentException _) {
            // It is none.
        }
        throw calls.unusable(begun);
    }

    @Override
    public HttpRequest content(String fileId) {
        return to("/download/v1beta/" + named(fileId) + ":download?alt=media")
                .GET()
                .build();
    }

    @Override
    public void delete(String fileId) throws BatchCallException, InterruptedException {
        OpenAiFiles.delete(calls, to("/v1beta/" + named(fileId)));
    }

    private static String named(String fileId) {
        return fileId.startsWith("files/") ? fileId : "files/" + fileId;
    }
}
