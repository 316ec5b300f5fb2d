/** Tools that a branch offers its model: what is declared, what a server allows, and those that need no trust. */
@NullMarked
package dev.assay.domain.tool;

import org.jspecify.annotations.NullMarked;
