package dev.assay.domain.suite;

import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The property that makes cases related, so that those of a group are no independent evidence. Users write {@code tag} or
 * {@code metadata.KEY} as {@code statistics.groupBy}.
 *
 * @param metadataKey the metadata that cases of a group have in common; null: their first tag
 */
public record GroupBy(@Nullable String metadataKey) {

    /** The fields of {@code statistics}. */
    public static final Fields FIELDS = Fields.of("statistics", "groupBy");

    private static final String NAME = "groupBy";
    private static final String TAG = "tag";
    private static final String METADATA = "metadata.";

    /** Reads what the campaign file says; null: cases are not related. */
    public static @Nullable GroupBy read(FieldReader document) {
        FieldReader fields = document.objectOrEmpty("statistics", FIELDS);
        String word = fields.nullableText(NAME);
        if (word == null || fields.problems().foundAt(fields.path(NAME))) {
            return null;
        }
        if (word.equals(TAG)) {
            return new GroupBy(null);
        }
        if (word.startsWith(METADATA) && word.length() > METADATA.length()) {
            return new GroupBy(word.substring(METADATA.length()));
        }
        fields.problem(NAME, "`groupBy` must be `tag` or `metadata.` and a key, but is `" + Excerpt.of(word) + "`.");
        return null;
    }

    /** The group of a case; null: it has none. */
    public @Nullable String group(Case suiteCase) {
        return metadataKey == null
                ? suiteCase.tags().stream().findFirst().orElse(null)
                : suiteCase.metadata().get(metadataKey);
    }

    /** Reports the cases that are in no group. */
    public void check(FieldReader document, List<Case> cases) {
        List<String> without =
                cases.stream().filter(one -> group(one) == null).map(Case::id).toList();
        if (!without.isEmpty()) {
            document.problems()
                    .add(
                            DocumentPath.field(document.path("statistics"), NAME),
                            "Case `" + Excerpt.of(without.getFirst()) + "` has no "
                                    + (metadataKey == null ? "tag" : "metadata `" + Excerpt.of(metadataKey) + "`")
                                    + (without.size() == 1 ? "" : ", nor have " + (without.size() - 1) + " others")
                                    + "; every case must be in a group.");
        }
    }

    /** As users write it. */
    public String word() {
        return metadataKey == null ? TAG : METADATA + metadataKey;
    }
}
