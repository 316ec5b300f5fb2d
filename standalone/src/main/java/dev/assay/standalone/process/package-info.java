/** Child processes: started apart from the terminal, watched, and started again when they die. */
@NullMarked
package dev.assay.standalone.process;

import org.jspecify.annotations.NullMarked;
