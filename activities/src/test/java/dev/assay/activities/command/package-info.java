/** Tests of {@code dev.assay.activities.command}. */
@NullMarked
package dev.assay.activities.command;

import org.jspecify.annotations.NullMarked;
