package dev.assay.domain.hypothesis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.hypothesis.Rubric.Anchor;
import dev.assay.domain.hypothesis.Rubric.Dimension;
import dev.assay.domain.hypothesis.Rubric.Scale;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of rubrics. Fields that are left out are as in {@link Rubric#DEFAULT}. */
public final class RubricReader {

    /** The fields of a rubric. */
    public static final Fields FIELDS =
            Fields.of("rubric", "dimensions", "scale", "minDimension", "borderline", "pass", "tieBreak");

    private static final Fields SCALE = Fields.of("scale", "min", "max");
    private static final Fields DIMENSION = Fields.of("dimension", "name", "weight", "description", "anchors");

    private static final NumberRule SCORE = NumberRule.between(-1_000_000, 1_000_000);
    private static final NumberRule WEIGHT = NumberRule.above(0, 1);
    private static final int MAX_DIMENSIONS = 50;
    private static final int MAX_NAME = 128;

    private RubricReader() {}

    /** The rubric that {@code document} has in its field {@code rubric}. */
    public static Rubric read(FieldReader document) {
        if (!document.hasValue("rubric")) {
            return Rubric.DEFAULT;
        }
        FieldReader fields = document.objectOrEmpty("rubric", FIELDS);
        Scale scale = scale(fields);
        List<Dimension> dimensions = fields.has("dimensions")
                ? fields.nonEmptyList("dimensions", (node, path, problems) -> dimension(node, path, problems, scale))
                : Rubric.DEFAULT.dimensions();
        checkDimensions(fields, dimensions);
        BigDecimal borderline = threshold(fields, "borderline", scale, Rubric.DEFAULT.borderline());
        BigDecimal pass = threshold(fields, "pass", scale, Rubric.DEFAULT.pass());
        if (borderline.compareTo(pass) > 0) {
            fields.problem("pass", "`pass` must not be below `borderline`; raise it, or lower `borderline`.");
        }
        return new Rubric(
                dimensions,
                scale,
                threshold(fields, "minDimension", scale, Rubric.DEFAULT.minDimension()),
                borderline,
                pass,
                tieBreak(fields, dimensions));
    }

    private static Scale scale(FieldReader rubric) {
        FieldReader fields = rubric.objectOrEmpty("scale", SCALE);
        Scale usual = Rubric.DEFAULT.scale();
        Scale scale = new Scale(number(fields, "min", usual.min()), number(fields, "max", usual.max()));
        if (scale.min().compareTo(scale.max()) >= 0) {
            fields.problem("max", "`max` must be above `min`; choose another scale.");
        }
        return scale;
    }

    private static BigDecimal number(FieldReader fields, String name, BigDecimal fallback) {
        return Objects.requireNonNullElse(fields.decimal(name, SCORE), fallback);
    }

    private static BigDecimal threshold(FieldReader fields, String name, Scale scale, BigDecimal fallback) {
        BigDecimal value = number(fields, name, fallback);
        if (!fields.isWrong(name) && !scale.holds(value)) {
            fields.problem(
                    name,
                    "`" + name + "` is " + value.toPlainString() + ", which is outside the scale " + shown(scale)
                            + "; write one that is on it.");
        }
        return value;
    }

    private static String shown(Scale scale) {
        return scale.min().toPlainString() + " to " + scale.max().toPlainString();
    }

    private static Dimension dimension(JsonNode node, String path, Problems problems, Scale scale) {
        FieldReader fields = FieldReader.of(node, path, DIMENSION, problems);
        String name = fields.line("name", MAX_NAME);
        fields.required("weight");
        BigDecimal weight = fields.decimal("weight", WEIGHT);
        return new Dimension(
                name,
                weight == null ? BigDecimal.ONE : weight,
                fields.nullableText("description"),
                anchors(fields, scale));
    }

    private static List<Anchor> anchors(FieldReader dimension, Scale scale) {
        List<Anchor> anchors = new ArrayList<>();
        if (!dimension.hasValue("anchors")) {
            return anchors;
        }
        dimension.entries("anchors").forEach((key, text) -> {
            String path = DocumentPath.field(dimension.path("anchors"), key);
            BigDecimal score = score(key);
            if (score == null || !scale.holds(score)) {
                dimension
                        .problems()
                        .add(path, "The anchor must be a score of the scale " + shown(scale) + "; name another score.");
            }
            String meaning = TextRules.fullTextItem(text, path, dimension.problems());
            if (score != null && meaning != null) {
                anchors.add(new Anchor(score, meaning));
            }
        });
        return anchors;
    }

    private static @Nullable BigDecimal score(String key) {
        return key.matches("-?\\d{1,7}(\\.\\d{1,20})?") ? new BigDecimal(key) : null;
    }

    private static void checkDimensions(FieldReader rubric, List<Dimension> dimensions) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < dimensions.size(); i++) {
            if (!names.add(dimensions.get(i).name())) {
                String path = DocumentPath.item(rubric.path("dimensions"), i);
                rubric.problems()
                        .add(
                                DocumentPath.field(path, "name"),
                                "Another dimension has this name already; give each a name of its own.");
            }
        }
        if (dimensions.size() > MAX_DIMENSIONS) {
            rubric.problem("dimensions", "There are " + dimensions.size() + " dimensions; keep at most 50.");
        }
        BigDecimal sum = dimensions.stream().map(Dimension::weight).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (!dimensions.isEmpty() && sum.compareTo(BigDecimal.ONE) != 0) {
            rubric.problem(
                    "dimensions",
                    "The weights of `dimensions` sum to " + sum.toPlainString() + "; they must sum to exactly 1.");
        }
    }

    private static List<String> tieBreak(FieldReader rubric, List<Dimension> dimensions) {
        Map<String, String> known = dimensions.stream()
                .map(Dimension::name)
                .collect(Collectors.toMap(name -> name, name -> name, (a, b) -> a));
        if (!rubric.hasValue("tieBreak")) {
            return Rubric.DEFAULT.tieBreak().stream().filter(known::containsKey).toList();
        }
        return rubric.list("tieBreak", (node, path, problems) -> {
            String name = TextRules.textItem(node, path, problems);
            if (name != null && !known.containsKey(name)) {
                problems.add(path, "`tieBreak` must name dimensions of the rubric; there is none of this name.");
            }
            return name;
        });
    }
}
