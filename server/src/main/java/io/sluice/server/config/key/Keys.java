package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every key there is: canal's, and those of Sluice alone. To add one, define it in the class of its concern, with its meaning, and read it in the
 * reader of that concern; {@code docs/configuration.md} is generated from the definitions.
 */
public final class Keys {
    private static final List<KeyGroup> GROUPS = List.of(
            ServerKeys.GROUP,
            QueueKeys.GROUP,
            BrokerKeys.GROUP,
            BrokerKeys.FORMER_NAMES,
            PullKeys.GROUP,
            MetricsKeys.GROUP,
            AlarmKeys.GROUP,
            ControlKeys.GROUP,
            AdminKeys.GROUP,
            ManagerKeys.GROUP,
            ClusterKeys.GROUP,
            SourceKeys.GROUP,
            FailoverKeys.GROUP,
            FailoverKeys.STANDBY_GROUP,
            FilterKeys.GROUP,
            ValueKeys.GROUP,
            RoutingKeys.GROUP,
            FailureKeys.GROUP,
            FailureKeys.RESTART_GROUP,
            FailureKeys.PACE_GROUP,
            SchemaKeys.GROUP,
            MemoryKeys.GROUP,
            IdleKeys.GROUP);

    private static final List<PerDestinationKey<?>> PER_DESTINATION =
            List.of(ServerKeys.MODE, ServerKeys.WIRING, ServerKeys.LAZY, IdleKeys.MANAGER);

    private static final Map<String, Key<?>> ALL = new LinkedHashMap<>();

    static {
        GROUPS.forEach(group -> group.keys().forEach(Keys::add));
    }

    private Keys() {}

    /** The key of a name, or null if there is none. */
    public static @Nullable Key<?> find(String name) {
        return ALL.get(name);
    }

    public static Collection<Key<?>> all() {
        return ALL.values();
    }

    public static List<KeyGroup> groups() {
        return GROUPS;
    }

    /** The keys that each destination has, too, by its own name; {@link #all} has those of all destinations only. */
    public static List<PerDestinationKey<?>> perDestination() {
        return PER_DESTINATION;
    }

    /** The destination that a key's name names, {@code global} for all of them; empty if it is no key that each destination has. */
    public static Optional<String> destinationIn(String name) {
        return PER_DESTINATION.stream()
                .flatMap(key -> key.destinationIn(name).stream())
                .findFirst();
    }

    private static void add(Key<?> key) {
        if (ALL.put(key.name(), key) != null) {
            throw new IllegalStateException("two keys are named " + key.name());
        }
    }
}
