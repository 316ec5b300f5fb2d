/** Matrices of results over HTTP: held in memory while clients look at them, and what changed since a version of them. */
@NullMarked
package dev.assay.web.matrix;

import org.jspecify.annotations.NullMarked;
