/** What Unicode says of text, where the Java platform says something else. */
@NullMarked
package dev.assay.domain.text;

import org.jspecify.annotations.NullMarked;
