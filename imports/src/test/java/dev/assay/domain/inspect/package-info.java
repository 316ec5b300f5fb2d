@NullMarked
package dev.assay.domain.inspect;

import org.jspecify.annotations.NullMarked;
