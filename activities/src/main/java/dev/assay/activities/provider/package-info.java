/** Which client asks for an agent, and at what price. */
@NullMarked
package dev.assay.activities.provider;

import org.jspecify.annotations.NullMarked;
