/** Tests of the server and its data directory. */
@NullMarked
package dev.assay.standalone.server;

import org.jspecify.annotations.NullMarked;
