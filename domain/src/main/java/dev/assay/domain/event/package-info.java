/** What happens while agents run, told as it happens. Names and fields are read by clients and never change. */
@NullMarked
package dev.assay.domain.event;

import org.jspecify.annotations.NullMarked;
