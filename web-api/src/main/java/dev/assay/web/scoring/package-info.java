/** Scorings over HTTP: stored answers of a campaign are judged anew. */
@NullMarked
package dev.assay.web.scoring;

import org.jspecify.annotations.NullMarked;
