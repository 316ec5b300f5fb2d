package dev.assay.domain.evaluator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.text.StorableText;
import java.util.Comparator;
import java.util.List;

/**
 * The own code around a verdict.
 *
 * @param transforms of the branch and of the case, in order
 * @param files its surroundings
 * @param interpreters that ran it; empty where none did, or nobody noted which
 */
public record UsedCode(List<Script> transforms, CodeFiles files, List<Interpreter> interpreters) {

    /** None. */
    public static final UsedCode NONE = new UsedCode(List.of(), CodeFiles.NONE, List.of());

    public UsedCode {
        transforms = List.copyOf(transforms);
        interpreters = List.copyOf(interpreters);
    }

    /** Adds it to a definition. The path of an interpreter says nothing of what it does. */
    void writeTo(ObjectNode definition) {
        if (!transforms.isEmpty()) {
            ArrayNode all = definition.putArray("transforms");
            transforms.forEach(transform -> all.add(transform.json()));
        }
        ObjectNode code = definition.putObject("ownCode");
        if (files.workspaceId() != null) {
            code.put("files", files.workspaceId());
        }
        ArrayNode env = code.putArray("env");
        files.env().stream().distinct().sorted().forEach(env::add);
        ArrayNode ran = code.putArray("interpreters");
        interpreters.stream()
                .map(one -> new Version(one.language(), StorableText.of(one.version())))
                .distinct()
                .sorted(Comparator.comparing(Version::language).thenComparing(Version::version))
                .forEach(one -> ran.addObject().put("language", one.language()).put("version", one.version()));
    }

    private record Version(String language, String version) {}
}
