package dev.assay.domain.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.suite.Case;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text that a branch sends, with places for the vars of each case.
 *
 * @param system the agent's instructions before the conversation, in place of the branch's system prompt; null: that stays
 * @param messages what is said next, at least one, the last not the assistant's
 * @param isText whether the template is one text of the user, and is written as that
 */
public record Template(@Nullable String system, List<Said> messages, boolean isText) {

    /** The variable that holds the texts of a case's own prompts, where no var has this name. */
    public static final String PROMPT = "prompt";

    /** A message with places. */
    public record Said(Role role, String text) {}

    public Template {
        messages = List.copyOf(messages);
    }

    /** One text that the user says. */
    public static Template text(String text) {
        return new Template(null, List.of(new Said(Role.USER, text)), true);
    }

    /**
     * The prompt of a branch for one case.
     *
     * @param system in place of the branch's system prompt; null: that stays
     * @param prompts in place of the case's prompts
     */
    public record Filled(@Nullable String system, List<Message> prompts) {

        public Filled {
            prompts = List.copyOf(prompts);
        }
    }

    /** Its texts: the system's, if there is one, then those of the messages. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>();
        if (system != null) {
            texts.add(system);
        }
        messages.forEach(said -> texts.add(said.text()));
        return texts;
    }

    /** The prompt with its {@link #texts} filled. */
    public Filled filled(List<String> texts) {
        int first = system == null ? 0 : 1;
        List<Message> prompts = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Content text = new Content.Text(texts.get(first + i));
            prompts.add(new Message(messages.get(i).role(), List.of(text), null));
        }
        return new Filled(system == null ? null : texts.getFirst(), prompts);
    }

    /** What fills it for one case: the vars, and the texts of its prompts. */
    public static Map<String, JsonNode> vars(Case suiteCase) {
        Map<String, JsonNode> vars = new LinkedHashMap<>();
        if (!suiteCase.prompts().isEmpty()) {
            String prompt = suiteCase.prompts().stream().map(Message::text).collect(Collectors.joining("\n"));
            vars.put(PROMPT, TextNode.valueOf(prompt));
        }
        vars.putAll(suiteCase.vars());
        return vars;
    }

    /**
     * Fills the template here, whatever it takes.
     *
     * @param templateVars whether texts of vars are templates over the others
     * @throws AssayException INVALID_INPUT when it cannot be filled
     */
    public Filled fill(Case suiteCase, boolean templateVars) {
        return filled(texts().stream()
                .map(TemplateText.filler(vars(suiteCase), templateVars))
                .toList());
    }

    /** The template filled, where it has nothing but places of vars; null: more is to be computed. */
    public @Nullable Filled fillPlaces(Case suiteCase, boolean templateVars) {
        List<String> filled = TemplateText.fillPlaces(texts(), vars(suiteCase), templateVars);
        return filled == null ? null : filled(filled);
    }

    /** The names of the vars in its places, where it has nothing but places; null: it does more. */
    public @Nullable Set<String> placesOnly() {
        Set<String> names = new TreeSet<>();
        for (String text : texts()) {
            if (!TemplateText.hasOnlyPlaces(text)) {
                return null;
            }
            names.addAll(TemplateText.places(text));
        }
        return names;
    }

    /** The template as campaign files have it. */
    public JsonNode toJson() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (isText) {
            return nodes.textNode(messages.getFirst().text());
        }
        var list = nodes.arrayNode();
        if (system != null) {
            list.addObject().put("role", TemplateReader.SYSTEM).put("content", system);
        }
        messages.forEach(said -> list.addObject()
                .put("role", said.role().name().toLowerCase(Locale.ROOT))
                .put("content", said.text()));
        return list;
    }
}
