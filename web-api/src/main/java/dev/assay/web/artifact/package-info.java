/** The files of a run, made of the store: for every campaign, in every state. */
@NullMarked
package dev.assay.web.artifact;

import org.jspecify.annotations.NullMarked;
