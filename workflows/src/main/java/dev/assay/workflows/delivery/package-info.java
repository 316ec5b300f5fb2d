/** The workflow of a provider batch: handed over once, looked at until it ends, collected. */
@NullMarked
package dev.assay.workflows.delivery;

import org.jspecify.annotations.NullMarked;
