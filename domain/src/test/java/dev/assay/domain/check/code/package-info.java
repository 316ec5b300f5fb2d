@NullMarked
package dev.assay.domain.check.code;

import org.jspecify.annotations.NullMarked;
