/**
 * Archives of workspaces, which strangers write: one reader decides which are accepted, and one writer makes files of them. Decision
 * 0050 says why both are our own.
 */
@NullMarked
package dev.assay.work.archive;

import org.jspecify.annotations.NullMarked;
