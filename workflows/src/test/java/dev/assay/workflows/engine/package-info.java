/** What the tests of workflows share: an in-process engine, and a campaign in memory in place of PostgreSQL and models. */
@NullMarked
package dev.assay.workflows.engine;

import org.jspecify.annotations.NullMarked;
