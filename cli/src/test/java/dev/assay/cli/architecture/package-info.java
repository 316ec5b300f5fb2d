/** Rules of all modules: what each module and package may use. Classes are imported once. */
@NullMarked
package dev.assay.cli.architecture;

import org.jspecify.annotations.NullMarked;
