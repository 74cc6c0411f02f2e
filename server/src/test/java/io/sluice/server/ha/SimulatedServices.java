package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;

/** The services that the servers run for the destination in a simulation. */
public interface SimulatedServices {
    /** Nothing. */
    SimulatedServices NONE = new SimulatedServices() {
        @Override
        public void start(String server, Ownership ownership) {}

        @Override
        public void end(String server) {}
    };

    /** A server owns the destination, and starts. */
    void start(String server, Ownership ownership);

    /** It does not run any more: it has stopped, gave up, or its process has died. */
    void end(String server);
}
