/** The installation: the identity of this database in Temporal, which tells it apart from others that use the same names there. */
@NullMarked
package dev.assay.store.installation;

import org.jspecify.annotations.NullMarked;
