/**
 * Reading documents that users write: from text to a tree, from a tree to checked fields, every error with its path.
 * Knows nothing of campaigns.
 */
@NullMarked
package dev.assay.domain.document;

import org.jspecify.annotations.NullMarked;
