/**
 * The model proxy: programs of branches ask models through it, and never see a provider's key. Everything that a program sends is
 * bounded, and each request is a row of the ledger.
 */
@NullMarked
package dev.assay.activities.proxy;

import org.jspecify.annotations.NullMarked;
