@NullMarked
package dev.assay.activities.compute;

import org.jspecify.annotations.NullMarked;
