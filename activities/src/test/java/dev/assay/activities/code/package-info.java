@NullMarked
package dev.assay.activities.code;

import org.jspecify.annotations.NullMarked;
