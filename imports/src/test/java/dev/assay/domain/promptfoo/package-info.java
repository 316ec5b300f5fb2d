@NullMarked
package dev.assay.domain.promptfoo;

import org.jspecify.annotations.NullMarked;
