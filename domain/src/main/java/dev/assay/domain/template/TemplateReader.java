package dev.assay.domain.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.message.Role;
import dev.assay.domain.template.Template.Said;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of the field {@code template} of a branch: a text, or a list of messages of which the first may be the system's. */
public final class TemplateReader {

    /** The fields of a message. */
    public static final Fields FIELDS = Fields.of("templateMessage", "role", "content");

    static final String SYSTEM = "system";

    private static final String TEMPLATE = "template";

    /** The system's place is null. */
    private static final Map<String, List<Role>> ROLES = roles();

    private TemplateReader() {}

    private static Map<String, List<Role>> roles() {
        Map<String, List<Role>> roles = new LinkedHashMap<>();
        roles.put(SYSTEM, List.of());
        roles.put("user", List.of(Role.USER));
        roles.put("assistant", List.of(Role.ASSISTANT));
        return roles;
    }

    /** Reads the template; null: there is none, or it is wrong, which was reported. */
    public static @Nullable Template read(FieldReader branch) {
        JsonNode node = branch.node(TEMPLATE);
        if (node == null || node.isNull()) {
            return null;
        }
        if (node.isTextual()) {
            String text = branch.text(TEMPLATE);
            check(text, branch.path(TEMPLATE), branch.problems());
            return branch.isWrong(TEMPLATE) ? null : Template.text(text);
        }
        if (!node.isArray()) {
            String found = ActualValue.describe(node) + ActualValue.adviceForText(node);
            branch.problem(TEMPLATE, "`template` must be text or a list of messages, but is " + found + ".");
            return null;
        }
        return chat(branch, node.size());
    }

    private static @Nullable Template chat(FieldReader branch, int written) {
        List<Part> parts = branch.nonEmptyList(TEMPLATE, TemplateReader::part);
        List<Said> messages = new ArrayList<>();
        String system = null;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.role != null) {
                messages.add(new Said(part.role, part.text));
            } else if (i == 0) {
                system = part.text;
            } else {
                branch.problems()
                        .add(
                                DocumentPath.item(branch.path(TEMPLATE), i),
                                "Only the first message may be the system's; move it there.");
            }
        }
        boolean isComplete = parts.size() == written && written > 0;
        if (isComplete && (messages.isEmpty() || messages.getLast().role() == Role.ASSISTANT)) {
            branch.problem(TEMPLATE, "`template` must end on a user message.");
        }
        return messages.isEmpty() ? null : new Template(system, messages, false);
    }

    private record Part(@Nullable Role role, String text) {}

    private static @Nullable Part part(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        List<Role> role = fields.word("role", ROLES);
        String text = fields.text("content");
        check(text, fields.path("content"), problems);
        return role == null ? null : new Part(role.isEmpty() ? null : role.getFirst(), text);
    }

    private static void check(String text, String path, Problems problems) {
        String wrong = TemplateText.problem(text);
        if (wrong != null && !problems.foundAt(path)) {
            problems.add(path, wrong);
        }
    }
}
