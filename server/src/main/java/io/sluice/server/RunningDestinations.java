package io.sluice.server;

import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.tcp.Destination;
import io.sluice.server.tcp.Destinations;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The instances whose entries clients may pull, by their names. */
final class RunningDestinations implements Destinations {
    private final Map<String, Instance> instances;

    RunningDestinations(List<Instance> instances) {
        this.instances = instances.stream().collect(Collectors.toUnmodifiableMap(Instance::name, Function.identity()));
    }

    @Override
    public @Nullable Destination find(String name) {
        Instance instance = instances.get(name);
        if (instance == null || instance.state() == InstanceState.NEW || instance.state() == InstanceState.STOPPED) {
            return null;
        }
        return instance.pullClients()
                .map(clients -> new Destination(clients, instance.storeConfig()))
                .orElse(null);
    }
}
