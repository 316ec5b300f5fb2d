package dev.assay.domain.results;

/**
 * A file that results were read from. The names are those of its JSON.
 *
 * @param sha256 of its content, 64 hexadecimal digits
 * @param size in bytes
 */
public record ImportedFile(String name, String sha256, long size) {}
