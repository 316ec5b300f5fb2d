/** Campaigns over HTTP: submitted, watched, paused, resumed, cancelled; their workflows started and kept going. */
@NullMarked
package dev.assay.web.campaign;

import org.jspecify.annotations.NullMarked;
