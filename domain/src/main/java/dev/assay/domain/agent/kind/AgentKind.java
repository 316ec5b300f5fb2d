package dev.assay.domain.agent.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.tool.ToolPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of agent as it stands in documents. {@link AgentKinds} finds implementations by {@link java.util.ServiceLoader}: public
 * classes with a public constructor without parameters.
 *
 * @param <A> the agents of this kind
 */
public interface AgentKind<A extends Agent> {

    /** The word that users write as {@code kind}. */
    String word();

    /** The class of its agents, which no other kind has. */
    Class<A> type();

    /** The name that all its agents have as {@link Agent#provider}; null: users configure their providers. */
    default @Nullable String provider() {
        return word();
    }

    /** The fields that agents of other kinds may lack, in the order in which they are documented. */
    List<String> fields();

    /** The fields of every branch that mean nothing to agents of this kind. */
    default List<String> lacks() {
        return List.of();
    }

    /** The fields of the objects in its fields. */
    default List<Fields> objects() {
        return List.of();
    }

    /** The field by which a branch that names no kind is of this one; null: it must name it. */
    default @Nullable String mark() {
        return null;
    }

    /** Whether nothing is paid for its agents: {@link Agent#cost} of each of them is nothing. */
    default boolean isFree() {
        return false;
    }

    /** Whether its agents can judge, grade and score hypotheses, too; else they answer for branches only. */
    default boolean isAskedAnything() {
        return true;
    }

    /** Whether campaign files can have it; else it stands in stored documents only. */
    default boolean isOfCampaignFiles() {
        return true;
    }

    /** Reads an agent, and reports what is wrong. Fields of other kinds were reported already. */
    A read(FieldReader fields, CassetteField cassettes);

    /** Writes the fields back, defaults too, so that {@link #read} gives an equal agent. */
    void write(A agent, ObjectNode node);

    /**
     * Reports what workers do not allow.
     *
     * @param path of the agent in its document
     */
    default void checkAllowed(A agent, ToolPolicy policy, String path, Problems problems) {}

    /**
     * Reports why it cannot compute embeddings, and fields that mean nothing to embeddings.
     *
     * @param path of the agent in its document
     */
    default void checkEmbedding(A agent, String path, Problems problems) {}
}
