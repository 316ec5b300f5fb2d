/** The models that can be asked, by what live workers say. */
@NullMarked
package dev.assay.web.provider;

import org.jspecify.annotations.NullMarked;
