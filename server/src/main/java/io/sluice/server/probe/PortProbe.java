package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.server.config.key.AdminKeys;
import io.sluice.server.config.key.ControlKeys;
import io.sluice.server.config.key.MetricsKeys;
import io.sluice.server.config.key.PullKeys;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.server.ServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * Tries whether the ports of a server that does not run are free, by listening on each for a moment. One that is not is no failure: the server
 * that this one is to replace may listen there, and this may not be the machine that is to run the server.
 */
final class PortProbe implements Probe {
    private final ServerConfig server;
    private boolean isAnyConfigured;

    PortProbe(ServerConfig server) {
        this.server = server;
    }

    @Override
    public void run(Findings findings) {
        server.tcp()
                .ifPresent(tcp -> tryPort(
                        findings,
                        PullKeys.PORT.name(),
                        tcp.address(),
                        tcp.port(),
                        "the server does not start without it"));
        server.metrics()
                .ifPresent(metrics -> tryPort(
                        findings,
                        MetricsKeys.PORT.name(),
                        metrics.address(),
                        metrics.port(),
                        "metrics and health could not be read"));
        server.control()
                .filter(PortProbe::opens)
                .ifPresent(control -> tryPort(
                        findings,
                        ControlKeys.PORT.name(),
                        control.address(),
                        control.port(),
                        "the control API could not be called"));
        server.admin()
                .ifPresent(admin -> tryPort(
                        findings,
                        AdminKeys.PORT.name(),
                        admin.address(),
                        admin.port(),
                        "the server could not be managed by canal's consoles"));
        if (!isAnyConfigured) {
            findings.ok("ports", "none is configured");
        }
    }

    /** The port stays closed until a token or a certificate may call it. */
    private static boolean opens(ControlConfig control) {
        return !control.certificates().isEmpty() || Files.exists(control.accessFile());
    }

    private void tryPort(Findings findings, String key, String address, int port, String consequence) {
        isAnyConfigured = true;
        InetSocketAddress socketAddress =
                address.isBlank() ? new InetSocketAddress(port) : new InetSocketAddress(address, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as the server does
            socket.bind(socketAddress);
            findings.ok(key, port == 0 ? "any port that is free" : "port %d is free".formatted(port));
        } catch (IOException e) {
            findings.warning(
                    key,
                    "cannot listen on %s: %s, and %s".formatted(socketAddress, e.getMessage(), consequence),
                    isOfThisMachine(socketAddress.getAddress())
                            ? "none if the server that this one replaces listens there; else end the process that listens there (ss -ltnp shows it), or choose another port or address"
                            : "run the check on the machine that is to run the server, or choose an address of this one");
        }
    }

    private static boolean isOfThisMachine(@Nullable InetAddress address) {
        try {
            return address != null
                    && (address.isAnyLocalAddress()
                            || address.isLoopbackAddress()
                            || NetworkInterface.getByInetAddress(address) != null);
        } catch (SocketException e) {
            return true; // not known
        }
    }
}
