/** The addresses of labels, of samples of answers to label, and of what labels say of evaluators. */
@NullMarked
package dev.assay.web.label;

import org.jspecify.annotations.NullMarked;
