package io.sluice.connector.kafka.probe;

import static io.sluice.connector.kafka.probe.AdminAnswers.counted;
import static io.sluice.connector.kafka.probe.AdminAnswers.explained;
import static io.sluice.connector.kafka.probe.AdminAnswers.get;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.kafka.settings.KafkaSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.DescribeTransactionsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/**
 * Asks the brokers whether a producer could send: connection, login, the advertised addresses, the transactional id, and {@link TopicProbe topics}.
 * It only reads, and has topics created with {@code validateOnly}. For one thread.
 */
public final class KafkaProbe {
    private static final int CONNECT_MILLIS = 3_000;
    private static final String CONNECTION = "connection";

    private final Admin admin;
    private final KafkaSettings settings;
    private final int limitMillis;
    private final Findings findings;

    /**
     * Makes a probe.
     *
     * @param admin is closed by the caller
     * @param limit of each question
     */
    public KafkaProbe(Admin admin, KafkaSettings settings, Duration limit, Findings findings) {
        this.admin = admin;
        this.settings = settings;
        this.limitMillis = (int) Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE));
        this.findings = findings;
    }

    /** Tries everything; without a connection, that alone. */
    public void run(List<TopicNeed> needs) throws InterruptedException {
        Collection<Node> brokers = connect();
        if (brokers.isEmpty()) {
            return;
        }
        tryAddresses(brokers);
        tryTransactions();
        new TopicProbe(admin, settings, limitMillis, findings)
                .run(needs, brokers.iterator().next());
    }

    private Collection<Node> connect() throws InterruptedException {
        String remedy =
                "check kafka.bootstrap.servers, the network, and that security.protocol (%s) is that of the port"
                        .formatted(settings.securityProtocol());
        List<String> addresses = settings.bootstrapAddresses();
        List<String> unreachable = unreachable(addresses);
        if (unreachable.size() == addresses.size()) {
            findings.failed(CONNECTION, String.join("; ", unreachable), remedy);
            return List.of();
        }
        try {
            DescribeClusterResult cluster = admin.describeCluster(new DescribeClusterOptions().timeoutMs(limitMillis));
            Collection<Node> brokers = get(cluster.nodes());
            findings.ok(
                    CONNECTION,
                    "%s: cluster %s with %s, security.protocol=%s"
                            .formatted(
                                    settings.bootstrapServers(),
                                    get(cluster.clusterId()),
                                    counted(brokers.size(), "broker"),
                                    settings.securityProtocol()));
            if (!unreachable.isEmpty()) {
                findings.warning(
                        "bootstrap servers",
                        String.join("; ", unreachable),
                        "correct kafka.bootstrap.servers, or start the broker");
            }
            return brokers;
        } catch (KafkaException e) {
            findings.failed(CONNECTION, "%s: %s".formatted(settings.bootstrapServers(), explained(e)), remedy);
            return List.of();
        }
    }

    /** Clients connect to the addresses that the brokers advertise, which need not be those that are configured. */
    private void tryAddresses(Collection<Node> brokers) throws InterruptedException {
        List<String> addresses = brokers.stream().map(KafkaProbe::addressOf).toList();
        List<String> unreachable = unreachable(addresses);
        if (unreachable.isEmpty()) {
            findings.ok("advertised addresses", String.join(", ", addresses) + " can be reached");
        } else {
            findings.failed(
                    "advertised addresses",
                    String.join("; ", unreachable),
                    "set advertised.listeners of the brokers to addresses that this machine can resolve and reach");
        }
    }

    private static String addressOf(Node broker) {
        String host = broker.host();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + broker.port();
    }

    private static List<String> unreachable(List<String> addresses) throws InterruptedException {
        List<String> sentences = new ArrayList<>();
        for (String address : addresses) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            int colon = address.lastIndexOf(':');
            try (Socket socket = new Socket()) {
                String host = address.substring(0, Math.max(colon, 0)).replaceAll("^.*://|[\\[\\]]", "");
                socket.connect(
                        new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), CONNECT_MILLIS);
            } catch (IOException | IllegalArgumentException e) {
                sentences.add("%s cannot be reached: %s".formatted(address, String.valueOf(e.getMessage())));
            }
        }
        return sentences;
    }

    private void tryTransactions() throws InterruptedException {
        if (!settings.isTransactional()) {
            return;
        }
        String id = settings.transactionalId();
        try {
            get(admin.describeTransactions(List.of(id), new DescribeTransactionsOptions().timeoutMs(limitMillis))
                    .description(id));
            findings.ok("transactional id", id + " is known to the brokers");
        } catch (TransactionalIdNotFoundException e) {
            findings.ok("transactional id", id + " was not used yet");
        } catch (AuthorizationException e) {
            findings.failed(
                    "transactional id",
                    "the user may not use %s: %s".formatted(id, e.getMessage()),
                    "grant Write and Describe on the transactional id, or change kafka.transactional.id");
        } catch (KafkaException e) {
            findings.unknown("transactional id", explained(e), "");
        }
    }
}
