package dev.assay.web.artifact;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A form of the results of a campaign. */
enum ArtifactForm {
    /** The directory of the run. */
    ZIP("zip", "application/zip", ".zip"),
    /** JUnit's XML. */
    JUNIT("junit", "application/xml", ".xml"),
    /** For a pull request. */
    MARKDOWN("markdown", "text/markdown; charset=utf-8", ".md"),
    /** One page that needs no server. */
    HTML("html", "text/html; charset=utf-8", ".html"),
    /** {@code summary.json}. */
    SUMMARY("summary", "application/json", ".json");

    private final String word;
    private final String mediaType;
    private final String ending;

    ArtifactForm(String word, String mediaType, String ending) {
        this.word = word;
        this.mediaType = mediaType;
        this.ending = ending;
    }

    /**
     * The form of a word.
     *
     * @param word null: the directory
     * @throws AssayException INVALID_INPUT when there is none
     */
    static ArtifactForm of(@Nullable String word) {
        if (word == null) {
            return ZIP;
        }
        for (ArtifactForm form : values()) {
            if (form.word.equals(word)) {
                return form;
            }
        }
        throw AssayException.invalid(
                "A parameter of the request is not valid",
                List.of(new FieldError("format", "Write zip, junit, markdown, html or summary")));
    }

    String mediaType() {
        return mediaType;
    }

    /** The name of a file that holds it. */
    String fileName(String campaignId) {
        return campaignId + ending;
    }
}
