/** The installation: who this database is to Temporal. It is told apart from others that use the same names there. */
@NullMarked
package dev.assay.store.installation;

import org.jspecify.annotations.NullMarked;
