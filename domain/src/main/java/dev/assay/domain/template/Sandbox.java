package dev.assay.domain.template;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.el.JinjavaProcessors;
import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.Context.Library;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.lib.tag.ForTag;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of templates: what they may use, and how much. Whatever is not named here is refused: files (`include`, `import`), the
 * clock, chance, and methods of Java. So a template that is filled twice says the same.
 */
final class Sandbox {

    /** Characters of the text that a template becomes. */
    static final int MAX_OUTPUT = 1_000_000;

    /** Rounds of loops, and the tags, expressions and texts that are filled in them. */
    static final int MAX_STEPS = 100_000;

    private static final int MAX_RANGE = 1000;
    private static final int MAX_ITEMS = 100_000;
    private static final int MAX_DEPTH = 20;

    private static final Set<String> TAGS = Set.of(
            "if", "elif", "else", "endif", "for", "endfor", "set", "endset", "raw", "endraw", "macro", "endmacro");

    private static final Set<String> FILTERS = Set.of(
            "abs",
            "batch",
            "capitalize",
            "center",
            "count",
            "d",
            "default",
            "dictsort",
            "dump",
            "e",
            "escape",
            "first",
            "float",
            "groupby",
            "indent",
            "int",
            "join",
            "last",
            "length",
            "list",
            "load",
            "lower",
            "map",
            "reject",
            "rejectattr",
            "replace",
            "reverse",
            "round",
            "safe",
            "select",
            "selectattr",
            "slice",
            "sort",
            "split",
            "string",
            "striptags",
            "sum",
            "title",
            "tojson",
            "trim",
            "truncate",
            "unique",
            "upper",
            "urlencode",
            "wordcount");

    private static final String RANGE = "range";

    private static final JinjavaConfig CONFIG = JinjavaConfig.newBuilder()
            .withMaxOutputSize(MAX_OUTPUT)
            .withMaxStringLength(MAX_OUTPUT)
            .withMaxListSize(MAX_ITEMS)
            .withMaxMapSize(MAX_ITEMS)
            .withMaxRenderDepth(MAX_DEPTH)
            .withRangeLimit(MAX_RANGE)
            .withEnableRecursiveMacroCalls(false)
            // The text of a var is final: it is not filled again.
            .withNestedInterpretationEnabled(false)
            .withReadOnlyResolver(true)
            .withElResolver(new SandboxResolver())
            .withProcessors(JinjavaProcessors.newBuilder()
                    .withNodePreProcessor(Sandbox::step)
                    .build())
            .build();

    private static final Jinjava LIBRARY = library();
    private static final Map<Library, Set<String>> REFUSED = refused(LIBRARY.getGlobalContext());

    private Sandbox() {}

    /** An interpreter for one template. */
    static JinjavaInterpreter interpreter(Map<String, ?> values) {
        return new Interpreter(new Names(values));
    }

    private static Jinjava library() {
        Jinjava library = new Jinjava(CONFIG);
        library.getGlobalContext().registerFilter(new DumpFilter());
        library.getGlobalContext().registerFilter(new LoadFilter());
        library.getGlobalContext().registerTag(new CountedLoop());
        return library;
    }

    private static Map<Library, Set<String>> refused(Context all) {
        Stream<String> tags = all.getAllTags().stream().map(tag -> tag.getName());
        Stream<String> filters = all.getAllFilters().stream().map(filter -> filter.getName());
        Stream<String> functions = all.getAllFunctions().stream()
                .filter(function -> !function.getLocalName().equals(RANGE))
                .map(function -> function.getName());
        return Map.of(
                Library.TAG,
                without(tags, TAGS::contains),
                Library.FILTER,
                without(filters, FILTERS::contains),
                Library.FUNCTION,
                without(functions, name -> false));
    }

    private static Set<String> without(Stream<String> names, Predicate<String> allowed) {
        return names.filter(allowed.negate()).collect(Collectors.toUnmodifiableSet());
    }

    private static void step(Node node, JinjavaInterpreter interpreter) {
        count(1, interpreter);
    }

    private static void count(int steps, JinjavaInterpreter interpreter) {
        Interpreter own = (Interpreter) interpreter;
        own.steps += steps;
        if (own.steps > MAX_STEPS) {
            throw new IllegalStateException("It takes more than " + MAX_STEPS + " steps");
        }
    }

    /** A loop with nothing in it takes time, too. */
    private static final class CountedLoop extends ForTag {

        private static final long serialVersionUID = 1L;

        @Override
        public String renderForCollection(
                TagNode tag, JinjavaInterpreter interpreter, List<String> names, @Nullable Object items) {
            count(size(items), interpreter);
            return super.renderForCollection(tag, interpreter, names, items);
        }

        private static int size(@Nullable Object items) {
            return switch (items) {
                case Collection<?> list -> list.size();
                case Map<?, ?> map -> map.size();
                case null, default -> 1;
            };
        }
    }

    /** The library silently drops the value before an unknown filter. */
    private static final class Names extends Context {

        Names(Map<String, ?> values) {
            super(LIBRARY.getGlobalContext(), values, REFUSED);
        }

        @Override
        public Filter getFilter(@Nullable String name) {
            Filter filter = super.getFilter(name);
            if (filter == null) {
                throw new IllegalArgumentException("There is no filter `" + name + "`");
            }
            return filter;
        }
    }

    private static final class Interpreter extends JinjavaInterpreter {

        private int steps;

        Interpreter(Context names) {
            super(LIBRARY, names, CONFIG);
        }

        @Override
        public String getAsString(@Nullable Object value) {
            String text = TemplateValues.text(value);
            return text == null ? super.getAsString(value) : text;
        }
    }
}
