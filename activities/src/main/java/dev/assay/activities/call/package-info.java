/**
 * The paid call: one path for every kind of cell that asks a model or a program, through permit, ledger, retries and record. A kind
 * says only what it asks and what it records.
 */
@NullMarked
package dev.assay.activities.call;

import org.jspecify.annotations.NullMarked;
