/** What browsers get below {@code /ui}: the files of the module {@code pages}, and nothing that was stored. */
@NullMarked
package dev.assay.web.pages;

import org.jspecify.annotations.NullMarked;
