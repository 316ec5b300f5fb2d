package dev.assay.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class on a migrated database of its own. Its constructor and methods may ask for the {@link StoreFixture} and for
 * any bean of the store.
 *
 * <p>The server is embedded, or a container where {@link PostgresChoice} says so.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("database")
@ExtendWith(StoreExtension.class)
public @interface StoreTest {}
