package dev.assay.web.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The OpenAPI document as text, the same in a server and in a file of a release. */
public final class OpenApiText {

    private static final String RESOURCE = "/META-INF/swagger/assay.yml";
    private static final String SCHEMAS = "/schemas/";

    /** The version of this build, which Maven writes. */
    private static final String VERSION = "version.txt";

    private OpenApiText() {}

    /** Prints the document. */
    public static void main(String[] arguments) throws IOException {
        System.out.write((text() + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    static String text() throws IOException {
        Map<String, ObjectNode> files = new TreeMap<>();
        for (String file : OpenApiDocument.files()) {
            files.put(file, tree(SCHEMAS + file));
        }
        ObjectNode document = tree(RESOURCE);
        document.withObject("/info").put("version", read(VERSION).strip());
        return OpenApiDocument.of(document, files).toPrettyString();
    }

    private static ObjectNode tree(String name) throws IOException {
        return (ObjectNode) CampaignDocument.parse(read(name));
    }

    private static String read(String name) throws IOException {
        try (InputStream resource = OpenApiText.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new FileNotFoundException("This build has no " + name);
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
