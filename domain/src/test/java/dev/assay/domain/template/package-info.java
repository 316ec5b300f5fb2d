@NullMarked
package dev.assay.domain.template;

import org.jspecify.annotations.NullMarked;
