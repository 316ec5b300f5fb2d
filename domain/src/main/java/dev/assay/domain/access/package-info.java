/** The rules of access to a server: from this machine without a token, from elsewhere with one. */
@NullMarked
package dev.assay.domain.access;

import org.jspecify.annotations.NullMarked;
