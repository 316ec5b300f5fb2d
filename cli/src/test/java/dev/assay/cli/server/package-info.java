/** Tests of a whole server: by its addresses, by commands, and by what its processes hold. */
@NullMarked
package dev.assay.cli.server;

import org.jspecify.annotations.NullMarked;
