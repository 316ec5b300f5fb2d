package dev.assay.domain.campaignfile.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reader of agents of every kind. */
public final class AgentReader {

    private static final Map<String, AgentKind<?>> OF_STORED = byWord(AgentKinds.all());
    private static final Map<String, AgentKind<?>> OF_BRANCHES = byWord(
            AgentKinds.all().stream().filter(AgentKind::isOfCampaignFiles).toList());
    private static final Map<String, AgentKind<?>> ASKED_ANYTHING =
            byWord(AgentKinds.all().stream().filter(AgentKind::isAskedAnything).toList());

    private static final String PARAMETERS = "parameters";

    /** Parameters as providers call them. */
    private static final Map<String, String> PROVIDERS_WORDS = Map.of(
            "top_p", "topP",
            "max_tokens", "maxOutputTokens",
            "frequency_penalty", "frequencyPenalty",
            "presence_penalty", "presencePenalty");

    private final CassetteField cassettes;

    public AgentReader(CassetteField cassettes) {
        this.cassettes = cassettes;
    }

    private static Map<String, AgentKind<?>> byWord(List<AgentKind<?>> kinds) {
        Map<String, AgentKind<?>> byWord = new LinkedHashMap<>();
        kinds.forEach(kind -> byWord.put(kind.word(), kind));
        return byWord;
    }

    /** The fields of an agent that is nothing else. */
    public static Fields fields(String name) {
        return new Fields(
                name, Stream.concat(Stream.of("kind"), names(ASKED_ANYTHING)).toList());
    }

    /** The fields of the agents of branches. */
    public static Stream<String> branchFields() {
        return names(OF_BRANCHES);
    }

    /** The fields of {@code parameters}. */
    public static List<String> parameters() {
        return ParametersReader.FIELDS.names();
    }

    private static Stream<String> names(Map<String, AgentKind<?>> kinds) {
        return kinds.values().stream().flatMap(kind -> kind.fields().stream()).distinct();
    }

    /** The agent of a judge, a grader or a challenger. */
    public Agent read(FieldReader fields) {
        return read(fields, ASKED_ANYTHING);
    }

    /** The agent of a branch. */
    public Agent readBranch(FieldReader branch) {
        return read(branch, cassettes instanceof StoredCassettes ? OF_STORED : OF_BRANCHES);
    }

    /**
     * An agent asked with other parameters.
     *
     * @param parameters go before its own; an agent that takes none stays as it is
     * @throws AssayException INVALID_INPUT that says what is wrong with them
     */
    public static Agent withParameters(Agent agent, JsonNode parameters) {
        if (!AgentKinds.of(agent).fields().contains(PARAMETERS)) {
            return agent;
        }
        ObjectNode written = Json.mapper().createObjectNode();
        AgentKinds.write(agent, written);
        ObjectNode merged = written.withObjectProperty(PARAMETERS);
        parameters
                .properties()
                .forEach(field ->
                        merged.set(PROVIDERS_WORDS.getOrDefault(field.getKey(), field.getKey()), field.getValue()));
        Problems problems = new Problems();
        Fields fields = new Fields(
                "branch", Stream.concat(Stream.of("kind"), branchFields()).toList());
        Agent read = new AgentReader(new StoredCassettes()).readBranch(FieldReader.of(written, "", fields, problems));
        problems.throwIfAny("agent");
        return read;
    }

    private Agent read(FieldReader fields, Map<String, AgentKind<?>> kinds) {
        AgentKind<?> kind = fields.word("kind", kinds, meant(fields, kinds));
        if (fields.isWrong("kind")) {
            return ScriptedKind.STAND_IN;
        }
        refuseForeign(kind, fields, kinds);
        return kind.read(fields, cassettes);
    }

    /** The kind of an agent that names none. */
    private static AgentKind<?> meant(FieldReader fields, Map<String, AgentKind<?>> kinds) {
        for (AgentKind<?> kind : kinds.values()) {
            String mark = kind.mark();
            if (mark != null && fields.has(mark)) {
                return kind;
            }
        }
        return Objects.requireNonNull(kinds.get(ModelKind.WORD), "Models answer everything");
    }

    /** Reports fields that mean nothing to the kind: otherwise they would be lost silently. */
    private static void refuseForeign(AgentKind<?> kind, FieldReader fields, Map<String, AgentKind<?>> kinds) {
        kind.lacks().stream()
                .filter(fields::has)
                .forEach(name ->
                        fields.problem(name, "`" + name + "` does not belong to kind " + kind.word() + "; remove it."));
        names(kinds)
                .filter(name -> fields.has(name) && !kind.fields().contains(name))
                .forEach(name -> fields.problem(name, foreign(name, kind, kinds)));
    }

    private static String foreign(String name, AgentKind<?> kind, Map<String, AgentKind<?>> kinds) {
        String owners = kinds.values().stream()
                .filter(other -> other.fields().contains(name))
                .map(AgentKind::word)
                .collect(Collectors.joining(" or "));
        return "`" + name + "` belongs to kind " + owners + ", but the kind is " + kind.word()
                + "; remove it or write another `kind`.";
    }
}
