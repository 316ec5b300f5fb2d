/** The bounds on a client before any controller runs: connections, time to send, bytes of a body. */
@NullMarked
package dev.assay.web.connection;

import org.jspecify.annotations.NullMarked;
