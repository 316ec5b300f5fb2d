/** The tools of branches, and their run: Assay's own, HTTP requests and MCP servers, within what the operator allows. */
@NullMarked
package dev.assay.activities.tool;

import org.jspecify.annotations.NullMarked;
