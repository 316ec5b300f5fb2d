/** Which models can be asked, as the workers that are alive say. */
@NullMarked
package dev.assay.web.provider;

import org.jspecify.annotations.NullMarked;
