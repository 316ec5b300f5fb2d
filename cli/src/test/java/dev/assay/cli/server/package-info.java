/** Tests of the server and its data directory. */
@NullMarked
package dev.assay.cli.server;

import org.jspecify.annotations.NullMarked;
