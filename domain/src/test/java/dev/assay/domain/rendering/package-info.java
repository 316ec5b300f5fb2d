@NullMarked
package dev.assay.domain.rendering;

import org.jspecify.annotations.NullMarked;
