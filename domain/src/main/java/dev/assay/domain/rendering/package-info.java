/** Results as files and lines: FastSkill's files of a run, JUnit's XML, Markdown, and the numbers in them. */
@NullMarked
package dev.assay.domain.rendering;

import org.jspecify.annotations.NullMarked;
