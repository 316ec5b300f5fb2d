/**
 * Templates of prompts in the language of Jinja2 and nunjucks, filled with the vars of a case. Users write them: they reach no
 * file, no class and no clock, and what they take is bounded.
 */
@NullMarked
package dev.assay.domain.template;

import org.jspecify.annotations.NullMarked;
