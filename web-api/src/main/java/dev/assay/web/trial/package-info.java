/** Cases and their trials over HTTP, for people who look through them: a list, then everything about one trial. */
@NullMarked
package dev.assay.web.trial;

import org.jspecify.annotations.NullMarked;
