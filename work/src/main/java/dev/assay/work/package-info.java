/** A bounded pool of threads for work that only computes. Work that is too long is given up, and its caller goes on at once. */
@NullMarked
package dev.assay.work;

import org.jspecify.annotations.NullMarked;
