package io.sluice.server.config;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What was read, complete and checked.
 *
 * @param server what is set for all
 * @param instances what is set for each, in the order of {@link ServerConfig#destinations()}
 * @param warnings what was accepted but does not work as written
 * @param digests of what was read, to find what changes later
 * @param withoutFile the instances that are named and do not run, since automatic scanning does not find their files: by destination,
 *     the file that is not there
 */
public record Configuration(
        ServerConfig server,
        List<InstanceConfig> instances,
        List<Warning> warnings,
        ConfigDigests digests,
        Map<String, Path> withoutFile) {
    public Configuration {
        instances = List.copyOf(instances);
        warnings = List.copyOf(warnings);
        withoutFile = Map.copyOf(withoutFile);
    }

    /** A configuration without digests: changes of it cannot be determined. */
    public Configuration(ServerConfig server, List<InstanceConfig> instances, List<Warning> warnings) {
        this(server, instances, warnings, ConfigDigests.NONE, Map.of());
    }

    /** Returns a copy with more warnings, which come first. */
    public Configuration withWarnings(List<Warning> more) {
        List<Warning> all = new ArrayList<>(more);
        all.addAll(warnings);
        return new Configuration(server, instances, all, digests, withoutFile);
    }

    /** Returns a copy with the given instances. */
    public Configuration with(List<InstanceConfig> others) {
        return new Configuration(server, others, warnings, digests, withoutFile);
    }
}
