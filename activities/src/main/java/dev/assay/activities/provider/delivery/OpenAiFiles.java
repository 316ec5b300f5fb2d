package dev.assay.activities.provider.delivery;

import dev.assay.activities.provider.delivery.BatchCalls.Said;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.UUID;

/** OpenAI's files. */
record OpenAiFiles(BatchCalls calls) implements BatchFiles {

    @Override
    public String upload(Path file) throws BatchCallException, InterruptedException {
        String boundary = "assay-" + UUID.randomUUID();
        String before = """
            --%1$s
            Content-Disposition: form-data; name="purpose"

            batch
            --%1$s
            Content-Disposition: form-data; name="file"; filename="batch.jsonl"
            Content-Type: application/jsonl

            """.formatted(boundary).replace("\n", "\r\n");
        HttpRequest request = calls.to("/files")
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.concat(
                        BodyPublishers.ofString(before),
                        content(file),
                        BodyPublishers.ofString("\r\n--" + boundary + "--\r\n")))
                .build();
        Said said = calls.send(request, BatchFiles.size(file));
        String id = BatchCalls.id(said.body().path("id"));
        if (id == null) {
            throw calls.unusable(said);
        }
        return id;
    }

    /** The content of a file, which is read while it is sent. */
    static HttpRequest.BodyPublisher content(Path file) {
        try {
            return BodyPublishers.ofFile(file);
        } catch (FileNotFoundException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public HttpRequest content(String fileId) {
        return calls.to("/files/" + fileId + "/content").GET().build();
    }

    @Override
    public void delete(String fileId) throws BatchCallException, InterruptedException {
        delete(calls, calls.to("/files/" + fileId));
    }

    static void delete(BatchCalls calls, HttpRequest.Builder file) throws BatchCallException, InterruptedException {
        try {
            var _ = calls.done(file.DELETE().build());
        } catch (BatchCallException e) {
            if (e.status() != 404) {
                throw e;
            }
        }
    }
}
