/**
 * What this process is to a Temporal that others use too: an installation with one database, and a build of it. Campaigns change from
 * build to build here, and a second database under the same names is refused.
 */
@NullMarked
package dev.assay.cli.engine.installation;

import org.jspecify.annotations.NullMarked;
