package io.sluice.testkit.broker;

import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.proxy.Gate;

/**
 * A broker whose clients connect through a gate.
 *
 * @param <S> the server, which the broker owns
 */
public abstract class GatedBroker<S extends RestartableServer> implements Broker {
    private final S server;
    private final Gate gate;

    /** Takes a server that runs, and the gate before it; both are closed with the broker. */
    protected GatedBroker(S server, Gate gate) {
        this.server = server;
        this.gate = gate;
    }

    /** The broker itself, for what other brokers cannot do. */
    public final S server() {
        return server;
    }

    @Override
    public final Gate gate() {
        return gate;
    }

    @Override
    public final void stop() {
        server.stop();
    }

    @Override
    public final void restart() {
        server.restart();
    }

    @Override
    public final void pause() {
        server.pause();
    }

    @Override
    public final void resume() {
        server.resume();
    }

    @Override
    public void close() {
        server.close();
        gate.close();
    }
}
