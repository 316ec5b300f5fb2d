/** What tests of this module and of the command line share: JVMs of their own, and ports that last. */
@NullMarked
package dev.assay.standalone.testing;

import org.jspecify.annotations.NullMarked;
