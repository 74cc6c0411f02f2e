package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.zookeeper.ClusterView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tries ZooKeeper: connection, and the rights to the nodes of the servers and of each instance. */
final class ClusterProbe implements Probe {
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    private final ClusterConfig config;
    private final List<InstanceConfig> instances;
    private final ClusterView view;
    private final boolean isServerKnown;
    private volatile boolean connected;

    /**
     * Makes it.
     *
     * @param view was opened, and is closed by the caller
     * @param isServerKnown whether the server of this configuration is known to run, or this is not its machine
     */
    ClusterProbe(ClusterConfig config, List<InstanceConfig> instances, ClusterView view, boolean isServerKnown) {
        this.config = config;
        this.instances = instances;
        this.view = view;
        this.isServerKnown = isServerKnown;
    }

    /** Whether ZooKeeper has answered. */
    boolean isConnected() {
        return connected;
    }

    @Override
    public void run(Findings findings) {
        String security = "%s, %s"
                .formatted(
                        config.access().tls().isPresent() ? "over TLS" : "without TLS",
                        config.access()
                                .login()
                                .map(login -> "as " + login.user())
                                .orElse("without a login"));
        if (!view.awaitConnection(TIMEOUT)) {
            findings.failed(
                    "connection",
                    "%s does not answer within %d s (%s)"
                            .formatted(config.connectString(), TIMEOUT.toSeconds(), security),
                    "check canal.zkServers, that ZooKeeper has a quorum, and canal.zookeeper.tls.*");
            return;
        }
        connected = true;
        try {
            List<String> servers = view.servers();
            findings.ok(
                    "connection",
                    "%s, %s; %s"
                            .formatted(
                                    config.connectString(),
                                    security,
                                    servers.isEmpty()
                                            ? "no server is registered"
                                            : "registered servers: " + String.join(", ", servers)));
            if (!isServerKnown && servers.contains(config.address())) {
                findings.warning(
                        "address",
                        "a server with the address of this configuration, %s, is registered, and no server is known to run here with this configuration"
                                .formatted(config.address()),
                        "none if it is the server that this one replaces, or has ended within the last "
                                + config.sessionTimeout().multipliedBy(2).toSeconds()
                                + " s; else set canal.register.ip, or canal.port, here: two servers with one address together get the share of one, and clients may be sent to the wrong one");
            }
            instances.forEach(instance -> judge(instance.destination(), findings));
        } catch (IllegalStateException e) {
            findings.failed("connection", String.valueOf(e.getMessage()), "check the nodes' access control lists");
        }
    }

    private void judge(String destination, Findings findings) {
        Optional<ClusterView.Rejection> rejection = view.rejection(destination);
        String subject = "nodes of " + destination;
        if (rejection.isPresent()) {
            findings.failed(subject, rejection.get().reason(), rejection.get().remedy());
        } else {
            findings.ok(
                    subject,
                    "they can be read and made; "
                            + view.owner(destination)
                                    .map(owner -> owner + " runs it")
                                    .orElse("no server runs it"));
        }
    }
}
