/** A server on real PostgreSQL and an in-process Temporal for tests. */
@NullMarked
package dev.assay.web;

import org.jspecify.annotations.NullMarked;
