/** Tools that a branch offers its model: declarations, the server's policy, and tools that need no trust. */
@NullMarked
package dev.assay.domain.tool;

import org.jspecify.annotations.NullMarked;
