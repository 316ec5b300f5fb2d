@NullMarked
package dev.assay.standalone.start;

import org.jspecify.annotations.NullMarked;
