/** What a judge would read, without asking one. */
@NullMarked
package dev.assay.web.judge;

import org.jspecify.annotations.NullMarked;
