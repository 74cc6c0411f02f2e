package io.sluice.admin.config;

/**
 * A text to begin a configuration with.
 *
 * @param builtIn whether it is a part of this program
 */
public record Template(String name, OwnerKind kind, String content, boolean builtIn) {}
