/** The clients of systems under test behind addresses that the operator allows. */
@NullMarked
package dev.assay.activities.system;

import org.jspecify.annotations.NullMarked;
