/** The connection of a client: its bounds before any controller runs, its departure, and files that are made while they are sent. */
@NullMarked
package dev.assay.web.connection;

import org.jspecify.annotations.NullMarked;
