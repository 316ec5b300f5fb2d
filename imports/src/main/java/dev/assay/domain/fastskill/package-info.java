/** FastSkill's files (docs/fastskill.md): prompts, checks and settings, read as they are and written as a campaign. */
@NullMarked
package dev.assay.domain.fastskill;

import org.jspecify.annotations.NullMarked;
