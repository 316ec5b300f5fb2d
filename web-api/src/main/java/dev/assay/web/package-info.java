/** Assay over HTTP: controllers bind, validate, call and map; the rules are elsewhere. */
@NullMarked
package dev.assay.web;

import org.jspecify.annotations.NullMarked;
