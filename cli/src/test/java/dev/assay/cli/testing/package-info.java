/** What several tests of this module share: servers, processes of the command, models and an API that answer as told. */
@NullMarked
package dev.assay.cli.testing;

import org.jspecify.annotations.NullMarked;
