package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.server.config.ControlConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.key.AdminKeys;
import io.sluice.server.config.key.ControlKeys;
import io.sluice.server.config.key.MetricsKeys;
import io.sluice.server.config.key.PullKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;

/** Tries whether the ports of a server that does not run are free, by listening on each for a moment. */
final class PortProbe implements Probe {
    private final ServerConfig server;
    private boolean isAnyConfigured;

    PortProbe(ServerConfig server) {
        this.server = server;
    }

    @Override
    public void run(Findings findings) {
        server.tcp().ifPresent(tcp -> {
            String reason = reasonNotFree(tcp.address(), tcp.port());
            if (reason.isEmpty()) {
                free(findings, PullKeys.PORT.name(), tcp.port());
            } else {
                findings.failed(PullKeys.PORT.name(), reason + ", and the server does not start without it", remedy());
            }
        });
        server.metrics()
                .ifPresent(metrics -> tryOptional(
                        findings,
                        MetricsKeys.PORT.name(),
                        metrics.address(),
                        metrics.port(),
                        "metrics and health could not be read"));
        server.control()
                .filter(PortProbe::opens)
                .ifPresent(control -> tryOptional(
                        findings,
                        ControlKeys.PORT.name(),
                        control.address(),
                        control.port(),
                        "the control API could not be called"));
        server.admin()
                .ifPresent(admin -> tryOptional(
                        findings,
                        AdminKeys.PORT.name(),
                        admin.address(),
                        admin.port(),
                        "the server could not be managed by canal's consoles"));
        if (!isAnyConfigured) {
            findings.ok("ports", "none is configured");
        }
    }

    /** It stays closed until a token or a certificate may call it. */
    private static boolean opens(ControlConfig control) {
        return !control.certificates().isEmpty() || Files.exists(control.accessFile());
    }

    private void tryOptional(Findings findings, String key, String address, int port, String consequence) {
        String reason = reasonNotFree(address, port);
        if (reason.isEmpty()) {
            free(findings, key, port);
        } else {
            findings.warning(key, reason + ", and " + consequence, remedy());
        }
    }

    private static void free(Findings findings, String key, int port) {
        findings.ok(key, port == 0 ? "any port that is free" : "port %d is free".formatted(port));
    }

    private static String remedy() {
        return "end the process that listens there (ss -ltnp shows it), or choose another port or address";
    }

    /** Empty if it is free. */
    private String reasonNotFree(String address, int port) {
        isAnyConfigured = true;
        InetSocketAddress place =
                address.isBlank() ? new InetSocketAddress(port) : new InetSocketAddress(address, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as the server does
            socket.bind(place);
            return "";
        } catch (IOException e) {
            return "cannot listen on %s: %s".formatted(place, e.getMessage());
        }
    }
}
