/**
 * This process as a client of a Temporal that others use too: an installation with one database, and a build of it. It moves
 * campaigns from build to build, and refuses a second database under the same names.
 */
@NullMarked
package dev.assay.standalone.engine.installation;

import org.jspecify.annotations.NullMarked;
