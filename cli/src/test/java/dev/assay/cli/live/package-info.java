@NullMarked
package dev.assay.cli.live;

import org.jspecify.annotations.NullMarked;
