package io.sluice.server.config;

import java.util.List;

/**
 * What was read, complete and checked.
 *
 * @param server what is set for all
 * @param instances what is set for each, in the order of {@link ServerConfig#destinations()}
 * @param warnings sentences for the operator about what was accepted but does not work as written
 * @param digests of what was read, to find what changes later
 */
public record Configuration(
        ServerConfig server, List<InstanceConfig> instances, List<String> warnings, ConfigDigests digests) {
    public Configuration {
        instances = List.copyOf(instances);
        warnings = List.copyOf(warnings);
    }

    /** One of which no changes can be told. */
    public Configuration(ServerConfig server, List<InstanceConfig> instances, List<String> warnings) {
        this(server, instances, warnings, ConfigDigests.NONE);
    }
}
