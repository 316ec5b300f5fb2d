/** This server's own facts. */
@NullMarked
package dev.assay.web.server;

import org.jspecify.annotations.NullMarked;
