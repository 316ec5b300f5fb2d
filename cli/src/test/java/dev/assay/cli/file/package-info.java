/** Tests of reading campaign files. */
@NullMarked
package dev.assay.cli.file;

import org.jspecify.annotations.NullMarked;
