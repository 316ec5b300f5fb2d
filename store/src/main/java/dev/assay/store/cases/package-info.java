/** Cases for people who look through them: by text, tag, and what was answered. */
@NullMarked
package dev.assay.store.cases;

import org.jspecify.annotations.NullMarked;
