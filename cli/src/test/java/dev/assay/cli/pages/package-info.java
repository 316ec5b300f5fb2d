/** The pages in a real browser, over its own protocol. */
@NullMarked
package dev.assay.cli.pages;

import org.jspecify.annotations.NullMarked;
