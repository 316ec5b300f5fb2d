/** Campaigns over HTTP: to submit, watch, pause, resume and cancel; their workflows are started and kept going. */
@NullMarked
package dev.assay.web.campaign;

import org.jspecify.annotations.NullMarked;
