package dev.assay.domain.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of checks that users write: the fields of every check here, the others by its {@link CheckKind}. */
public final class CheckReader {

    private static final List<String> OF_KINDS = CheckKinds.BY_WORD.values().stream()
            .flatMap(kind -> kind.fields().stream().sorted())
            .distinct()
            .toList();

    /** The fields of every check. */
    public static final Fields FIELDS = new Fields(
            "check",
            Stream.of(Stream.of("type"), OF_KINDS.stream(), CheckRole.FIELDS.stream(), Stream.of(CodeReader.TRANSFORM))
                    .flatMap(names -> names)
                    .toList());

    private CheckReader() {}

    /** The fields of a table of FastSkill's {@code checks.toml}. */
    private static final Fields OF_FASTSKILL =
            Fields.of("checkTable", "name", "pattern", "expected", "path", "limit", "required");

    /** Reads one check; null: it is unusable, which was reported. */
    public static @Nullable Check read(JsonNode node, String path, Problems problems) {
        return read(FieldReader.of(node, path, FIELDS, problems), "type", CheckKinds.BY_WORD);
    }

    /** Reads one check as FastSkill writes it; null: it is unusable, which was reported. */
    public static @Nullable Check readFastSkill(JsonNode node, String path, Problems problems) {
        return read(FieldReader.of(node, path, OF_FASTSKILL, problems), "name", CheckKinds.OF_FASTSKILL);
    }

    private static @Nullable Check read(FieldReader fields, String type, Map<String, CheckKind> kinds) {
        CheckKind kind = fields.word(type, kinds);
        CheckRole role = CheckRole.read(fields);
        if (kind == null) {
            return null;
        }
        OF_KINDS.stream()
                .filter(field -> fields.has(field) && !kind.fields().contains(field))
                .forEach(field -> fields.problem(field, "`" + field + "` " + foreign(field, kind) + "; remove it."));
        if (kind.word().equals(GroupRule.KIND.word()) && fields.has(CodeReader.TRANSFORM)) {
            fields.problem(CodeReader.TRANSFORM, "A group has no `transform`; write it in the checks of the group.");
            return new Check(kind.reader().read(fields), role);
        }
        return new Check(kind.reader().read(fields), role, CodeReader.transform(fields));
    }

    private static String foreign(String field, CheckKind kind) {
        List<CheckKind> owners = CheckKinds.withField(field);
        return owners.size() == 1
                ? "belongs to checks of type " + owners.getFirst().word() + " only"
                : "is not used by checks of type " + kind.word();
    }
}
