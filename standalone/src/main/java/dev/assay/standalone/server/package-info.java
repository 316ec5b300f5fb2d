/** The whole server in one process, and the data directory that it holds. */
@NullMarked
package dev.assay.standalone.server;

import org.jspecify.annotations.NullMarked;
