package dev.assay.activities.provider.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a provider. */
interface BatchFiles {

    /** Sends a file as a stream; gives the provider's id of it. */
    String upload(Path file) throws BatchCallException, InterruptedException;

    /** The request for the content of a file. */
    HttpRequest content(String fileId);

    /** Deletes a file. One that is gone is no error. */
    void delete(String fileId) throws BatchCallException, InterruptedException;

    /** The size of a file in bytes. */
    static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
