/** Cases and their trials over HTTP, as a user looks through them: a list, then everything about one trial. */
@NullMarked
package dev.assay.web.trial;

import org.jspecify.annotations.NullMarked;
