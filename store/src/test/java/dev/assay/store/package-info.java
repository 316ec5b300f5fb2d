/** What repository tests stand on: a PostgreSQL server for the test JVM, a migrated database for each test class. */
@NullMarked
package dev.assay.store;

import org.jspecify.annotations.NullMarked;
