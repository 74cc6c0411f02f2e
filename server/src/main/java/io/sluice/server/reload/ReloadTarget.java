package io.sluice.server.reload;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.control.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a reload changes: a running server. Thread-safe; a destination is added, changed or removed by one thread at a time. */
public interface ReloadTarget {
    /** The destinations that are there, in the order of the configuration. */
    List<String> destinations();

    /**
     * Adds a destination, and starts it unless it waits for a client.
     *
     * @return why it cannot be started, though its configuration is in force; null if it is started, or waits to be
     */
    @Nullable String add(InstanceConfig config);

    /**
     * Has a destination run with another configuration.
     *
     * @return whether it does, or why the configuration before stays in force
     */
    Outcome change(InstanceConfig config);

    /** Notes that a destination was started with a configuration, which may be another one than before. */
    void started();

    /**
     * Stops a destination and removes it; does nothing if there is none of that name.
     *
     * @throws RuntimeException if it did not stop in good order; it is removed all the same
     */
    void remove(String destination);

    /** Notes that destinations were removed, and that no change is under way. */
    void instancesRemoved();

    /** Notes why the newest configuration of an instance is not in force; null if it is. */
    void setProblem(String destination, @Nullable String problem);

    /** The configuration of an instance that is in force; empty if there is no such instance. */
    Optional<InstanceConfig> inForce(String destination);

    /** Whether an instance has failed, or could not be made. */
    boolean hasFailed(String destination);

    /** Notes instances that are configured and are not there, since their configuration was never right, with what is wrong. */
    void setInvalid(Map<String, String> problems);

    /** Notes instances that are configured and right, and are not added yet, with the reason of each. */
    void setPending(Map<String, String> reasons);

    /** Notes why nothing of the newest configuration is taken over; null if it is, but for instances that have a problem. */
    void setServerProblem(@Nullable String problem);

    /** Notes the keys that have changed since the server was started, and take effect at its next start. */
    void setRestartKeys(List<String> keys);

    /** Takes over what is set for the server as a whole and needs no restart. */
    void setServer(ServerConfig config);
}
