/** What several tests of this module share: waiting for conditions, child JVMs, a fake API. */
@NullMarked
package dev.assay.cli.testing;

import org.jspecify.annotations.NullMarked;
