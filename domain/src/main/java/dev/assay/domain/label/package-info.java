/** Labels: what people say of answers, how they are written in files, which answers they are asked about, and what they say of judges. Pure. */
@NullMarked
package dev.assay.domain.label;

import org.jspecify.annotations.NullMarked;
