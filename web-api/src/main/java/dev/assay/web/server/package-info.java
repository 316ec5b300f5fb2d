/** What this server says of itself. */
@NullMarked
package dev.assay.web.server;

import org.jspecify.annotations.NullMarked;
