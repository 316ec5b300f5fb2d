/** Programs that answer for branches: each attempt in a process group, a directory and an environment of its own. */
@NullMarked
package dev.assay.activities.command;

import org.jspecify.annotations.NullMarked;
