package dev.assay.store;

import dev.assay.store.sql.Sql;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.Repository;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The SQL that the compiled classes of the store hold. */
final class Statements {

    /** Begins a statement. Texts for people begin with one capital. */
    private static final Pattern STATEMENT =
            Pattern.compile("\\s*(SELECT|INSERT|UPDATE|DELETE|WITH|SET|VALUES|MERGE|LOCK|TRUNCATE|COPY)\\b[\\s\\S]*");

    /** Is part of a statement. */
    private static final Pattern SQL = Pattern.compile(
            "\\b(SELECT|FROM|WHERE|JOIN|AND|OR|AS|LIMIT|RETURNING|VALUES|SET|CASE|NULL|GROUP BY|ORDER BY)\\b|\\?");

    /** Where something is put in when the program runs: by + and by formatted. */
    private static final Pattern HOLE = Pattern.compile("[\\x01\\x02]|%(\\d\\$)?[sd]");

    private Statements() {}

    /** The values of {@code @Query}, with their parameters as JDBC knows them. */
    static Set<String> ofQueries(ApplicationContext context) {
        return context.getBeanDefinitions(Qualifiers.byStereotype(Repository.class)).stream()
                .flatMap(bean -> bean.getExecutableMethods().stream())
                .filter(method -> method.hasAnnotation(Query.class))
                .map(AnnotationMetadata.class::cast)
                .map(method -> method.stringValue(Query.class, "rawQuery").orElseThrow())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whole statements: constants of classes, and the texts in their methods, but for those with holes. */
    static Set<String> whole() {
        return Stream.concat(classes().stream().flatMap(Statements::values), texts())
                .filter(text -> STATEMENT.matcher(text).matches())
                .filter(text -> !HOLE.matcher(text).find())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The texts that are SQL and are in none of {@code statements}, whatever their holes are filled with. */
    static Set<String> missing(Set<String> statements) {
        return texts().filter(text -> SQL.matcher(text).find())
                .filter(text -> statements.stream().noneMatch(statement -> holds(statement, text)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean holds(String statement, String text) {
        int from = 0;
        for (String piece : HOLE.split(text)) {
            int found = statement.indexOf(piece, from);
            if (found < 0) {
                return false;
            }
            from = found + piece.length();
        }
        return true;
    }

    private static Stream<String> texts() {
        return classes().stream().flatMap(model -> texts(model).stream());
    }

    private static List<String> texts(ClassModel model) {
        return Stream.iterate(
                        1,
                        i -> i < model.constantPool().size(),
                        i -> i + model.constantPool().entryByIndex(i).width())
                .map(i -> model.constantPool().entryByIndex(i))
                .filter(StringEntry.class::isInstance)
                .map(entry -> ((StringEntry) entry).stringValue())
                .toList();
    }

    /** Those that are computed when the class is initialised, too. */
    private static Stream<String> values(ClassModel model) {
        try {
            Class<?> type = Class.forName(model.thisClass().asInternalName().replace('/', '.'));
            return Arrays.stream(type.getDeclaredFields())
                    .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
                    .map(Statements::value)
                    .filter(Objects::nonNull);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String value(Field field) {
        try {
            field.setAccessible(true);
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What was written by hand: the processors' classes begin with a dollar. */
    private static List<ClassModel> classes() {
        try (Stream<Path> files = Files.walk(Path.of(
                Sql.class.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !String.valueOf(file.getFileName()).startsWith("$"))
                    .map(Statements::parse)
                    .toList();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ClassModel parse(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
