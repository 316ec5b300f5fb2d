/** Where a worker computes what models, tools and campaign files give it: apart from the threads that wait for others. */
@NullMarked
package dev.assay.activities.compute;

import org.jspecify.annotations.NullMarked;
