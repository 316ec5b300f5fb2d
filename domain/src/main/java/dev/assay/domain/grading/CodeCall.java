package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentName;
import dev.assay.domain.agent.Served;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.check.code.ProgramRule;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests to own code about an outcome: what the code is given. What is not known is left out, never 0.
 *
 * @param trial its number, from 1
 */
public record CodeCall(Outcome outcome, Case suiteCase, Branch branch, int trial) {

    /** The request that makes another answer of {@code seen}. */
    public CodeRequest transform(Script script, JsonNode seen) {
        ObjectNode request = request("transform", script, CodeUse.OUTPUT);
        request.putArray("arguments").add(seen).add(context(null));
        return CodeRequest.toInterpreter(script.language(), request, CodeRule.DEFAULT_SECONDS);
    }

    /** The request that has {@code rule} decided, which sees {@code seen}. */
    public CodeRequest check(CodeRule rule, JsonNode seen) {
        return switch (rule) {
            case ScriptRule script -> {
                ObjectNode request = request("check", script.script(), CodeUse.CHECK);
                request.putArray("arguments").add(seen).add(context(script.config()));
                yield CodeRequest.toInterpreter(script.language(), request, script.timeoutSeconds());
            }
            case ProgramRule program -> {
                ObjectNode argument = argument(program, seen);
                ObjectNode request = object().put("call", "check");
                request.putArray("arguments").add(argument);
                yield new CodeRequest(
                        program.need(),
                        program.command(),
                        program.keepAlive() ? CodeRequest.Form.KEPT : CodeRequest.Form.JSON,
                        program.keepAlive() ? request : argument,
                        program.timeoutSeconds());
            }
        };
    }

    /** The request that has code compiled and loaded, without its id. */
    public static ObjectNode compilation(UsedScript used) {
        return request("compile", used.script(), used.use());
    }

    /** The branch, as promptfoo calls it. */
    static ObjectNode provider(Branch branch) {
        AgentName agent = branch.agent().name();
        return object().put("id", agent.provider() + ":" + agent.model()).put("label", branch.id());
    }

    /** A request to code, without its arguments. */
    static ObjectNode request(String call, Script script, CodeUse use) {
        ObjectNode request = object().put("call", call).put("use", use.word());
        if (script.file() == null) {
            return request.put("code", script.value());
        }
        request.put("file", script.file());
        String function = script.function();
        put(
                request,
                "function",
                function == null && script.language() == CodeLanguage.PYTHON ? use.function() : function);
        return request;
    }

    /** The single argument of a program. */
    private ObjectNode argument(ProgramRule rule, JsonNode seen) {
        ObjectNode argument = object();
        argument.set("output", seen);
        putVars(argument);
        argument.put("prompt", prompt());
        argument.set("transcript", messages(outcome.newMessages()));
        argument.set("usage", Json.mapper().valueToTree(outcome.usage()));
        putMeasures(argument, "costUsd");
        putMetadata(argument);
        putNode(argument, "config", rule.config());
        argument.putObject("case")
                .put("id", suiteCase.id())
                .set("tags", Json.mapper().valueToTree(suiteCase.tags()));
        return argument.put("branch", branch.id()).put("trial", trial);
    }

    private ObjectNode context(@Nullable JsonNode config) {
        ObjectNode context = object();
        putVars(context);
        context.put("prompt", prompt());
        putNode(context, "config", config);
        ObjectNode test = context.putObject("test");
        putVars(test);
        putMetadata(test);
        if (suiteCase.checks().threshold() != null) {
            test.put("threshold", suiteCase.checks().threshold());
        }
        context.set("provider", provider(branch));
        ObjectNode response = context.putObject("providerResponse").put("output", outcome.response());
        putTokens(response, outcome.usage());
        putMeasures(response, "cost");
        Served served = outcome.answer().provenance().served();
        if (served != null && served.metadata() != null) {
            response.set("metadata", served.metadata());
            context.set("metadata", served.metadata());
        }
        return context;
    }

    private void putVars(ObjectNode target) {
        ObjectNode vars = target.putObject("vars");
        suiteCase.vars().forEach(vars::set);
    }

    private void putMetadata(ObjectNode target) {
        target.set("metadata", Json.mapper().valueToTree(suiteCase.metadata()));
    }

    private void putMeasures(ObjectNode target, String cost) {
        if (outcome.costUsd() != null) {
            target.put(cost, outcome.costUsd());
        }
        target.put(
                "latencyMs",
                outcome.measured().isTimed() ? (Long) outcome.latency().toMillis() : null);
        put(target, "finishReason", outcome.answer().finishReason());
    }

    private static void putTokens(ObjectNode target, Usage usage) {
        ObjectNode tokens = object();
        putNumber(tokens, "prompt", usage.input());
        putNumber(tokens, "completion", usage.output());
        putNumber(tokens, "total", usage.total());
        putNumber(tokens, "cached", usage.cacheRead());
        if (!tokens.isEmpty()) {
            target.set("tokenUsage", tokens);
        }
    }

    /** The prompt as it was sent: its text, or the conversation as JSON. */
    private String prompt() {
        List<Message> sent = outcome.newMessages().stream()
                .takeWhile(message -> message.role() != Role.ASSISTANT)
                .toList();
        List<Message> all = Stream.concat(
                        suiteCase.context().stream(), (sent.isEmpty() ? suiteCase.prompts() : sent).stream())
                .toList();
        String plain = all.size() == 1 ? all.getFirst().plainPrompt() : null;
        return plain == null ? Json.indented(messages(all)) : plain;
    }

    private static ArrayNode messages(List<Message> messages) {
        return Json.mapper().valueToTree(messages);
    }

    private static ObjectNode object() {
        return Json.mapper().createObjectNode();
    }

    private static void put(ObjectNode target, String name, @Nullable String text) {
        if (text != null) {
            target.put(name, text);
        }
    }

    private static void putNode(ObjectNode target, String name, @Nullable JsonNode node) {
        if (node != null) {
            target.set(name, node);
        }
    }

    private static void putNumber(ObjectNode target, String name, @Nullable Long number) {
        if (number != null) {
            target.put(name, number);
        }
    }
}
