/** What a client may cost before any controller hears of it: connections, time to send, bytes of a body. */
@NullMarked
package dev.assay.web.connection;

import org.jspecify.annotations.NullMarked;
