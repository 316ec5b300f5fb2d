/** The files that browsers get below {@code /ui}: those of the module {@code pages}, and nothing that was stored. */
@NullMarked
package dev.assay.web.pages;

import org.jspecify.annotations.NullMarked;
