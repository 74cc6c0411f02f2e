package io.sluice.stream.source.server;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A proxy that states a version of its own in the greeting. */
final class VersionProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 4096;

    private final String version;
    private final String stated;

    /**
     * Starts to listen.
     *
     * @param version that of the server
     * @param stated the one to state, of the same length
     */
    VersionProxy(int serverPort, String version, String stated) {
        super(anyPort(), () -> serverPort, BUFFER_BYTES);
        this.version = version;
        this.stated = stated;
        start();
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int length = server.getInputStream().read(buffer);
        String greeting = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        OutputStream out = client.getOutputStream();
        out.write(greeting.replace(version, stated).getBytes(StandardCharsets.ISO_8859_1));
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        pump(server, client, unchanged(out));
    }
}
