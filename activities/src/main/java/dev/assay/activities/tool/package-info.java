/** Runs the tools of branches: Assay's own, HTTP requests and MCP servers, within what the operator allows. */
@NullMarked
package dev.assay.activities.tool;

import org.jspecify.annotations.NullMarked;
