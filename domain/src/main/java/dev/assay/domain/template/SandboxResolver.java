package dev.assay.domain.template;

import com.hubspot.jinjava.el.TypeConvertingMapELResolver;
import com.hubspot.jinjava.el.ext.JinjavaBeanELResolver;
import com.hubspot.jinjava.el.ext.JinjavaListELResolver;
import com.hubspot.jinjava.lib.Importable;
import com.hubspot.jinjava.objects.collections.PyMap;
import com.hubspot.jinjava.util.ForLoop;
import java.util.Collection;
import java.util.Map;
import jinjava.javax.el.CompositeELResolver;
import jinjava.javax.el.ELContext;
import org.jspecify.annotations.Nullable;

/** Reaches into maps, lists and the loop variable, and nowhere else: a method of a text could take all memory. */
final class SandboxResolver extends CompositeELResolver {

    SandboxResolver() {
        add(new Lengths());
        add(new JinjavaListELResolver(true));
        add(new TypeConvertingMapELResolver(true));
        add(new Library());
    }

    /** {@code .length} as nunjucks has it. */
    private static final class Lengths extends JinjavaBeanELResolver {

        Lengths() {
            super(true);
        }

        @Override
        public @Nullable Object getValue(ELContext context, @Nullable Object base, @Nullable Object property) {
            Integer length = "length".equals(property) ? length(base) : null;
            if (length != null) {
                context.setPropertyResolved(true);
            }
            return length;
        }

        private static @Nullable Integer length(@Nullable Object base) {
            return switch (base) {
                case String text -> text.length();
                case Collection<?> list -> list.size();
                case null, default -> null;
            };
        }

        @Override
        public @Nullable Object invoke(
                ELContext context,
                @Nullable Object base,
                @Nullable Object method,
                Class<?> @Nullable [] types,
                @Nullable Object @Nullable [] arguments) {
            return null;
        }
    }

    /** The access of the library itself: filters and tests are methods to it, a loop and its entries are beans. */
    private static final class Library extends JinjavaBeanELResolver {

        Library() {
            super(true);
        }

        @Override
        public @Nullable Object getValue(ELContext context, @Nullable Object base, @Nullable Object property) {
            boolean isOwn = base instanceof ForLoop || base instanceof Map.Entry<?, ?>;
            return isOwn ? super.getValue(context, base, property) : null;
        }

        @Override
        public @Nullable Object invoke(
                ELContext context,
                @Nullable Object base,
                @Nullable Object method,
                Class<?> @Nullable [] types,
                @Nullable Object @Nullable [] arguments) {
            boolean isOwn = base instanceof Importable || (base instanceof PyMap && "items".equals(method));
            if (!isOwn) {
                throw new IllegalArgumentException("There is no method `" + method + "`");
            }
            return super.invoke(context, base, method, types, arguments);
        }
    }
}
