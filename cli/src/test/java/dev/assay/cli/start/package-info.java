@NullMarked
package dev.assay.cli.start;

import org.jspecify.annotations.NullMarked;
