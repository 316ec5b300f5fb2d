/** The HTTP client of the API. Every command that works on campaigns goes through it. */
@NullMarked
package dev.assay.cli.client;

import org.jspecify.annotations.NullMarked;
