/**
 * Templates of prompts in the language of Jinja2 and nunjucks, filled with the vars of a case. Users write them, so they reach no
 * file, no class and no clock, and their time and size are bounded.
 */
@NullMarked
package dev.assay.domain.template;

import org.jspecify.annotations.NullMarked;
