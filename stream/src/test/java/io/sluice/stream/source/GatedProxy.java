package io.sluice.stream.source;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.net.Socket;
import java.util.function.IntSupplier;

/** A proxy whose connections are closed on demand, and that accepts none until it is opened again. */
final class GatedProxy extends ForwardingProxy {
    private volatile boolean isShut;

    GatedProxy(int serverPort) {
        this(() -> serverPort);
    }

    /** To a port that is asked for at each connection. */
    GatedProxy(IntSupplier serverPort) {
        super(anyPort(), serverPort, 4096);
        start();
    }

    void shut() {
        isShut = true;
        closeConnections();
    }

    /** Accepts no connection, and leaves those that are open. */
    void refuse() {
        isShut = true;
    }

    void open() {
        isShut = false;
    }

    @Override
    protected boolean admits() {
        return !isShut;
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        pump(server, client, unchanged(client.getOutputStream()));
    }
}
