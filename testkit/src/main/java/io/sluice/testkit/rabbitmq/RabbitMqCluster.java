package io.sluice.testkit.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.Polling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * RabbitMQ brokers that are the nodes of one cluster. A node that is without a majority pauses, as RabbitMQ recommends for three; one that is frozen is found to be
 * down after some seconds.
 *
 * <p>Each node can be stopped, killed, frozen and started again by itself, see {@link RabbitMqServer}. A topic is a queue of that name, and its name is the routing
 * key that leads there. For one thread at a time.
 */
public final class RabbitMqCluster implements AutoCloseable {
    /** To which the server under test sends. */
    public static final String EXCHANGE = RabbitMqBroker.EXCHANGE;

    /** After so many seconds, give or take a quarter, a node is down that does not answer the others. */
    private static final int TICK_SECONDS = 8;

    private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(2);
    private static final String ERLANG_OPTIONS = "-kernel net_ticktime " + TICK_SECONDS;

    private final Path folder = Folders.temporary("sluice-rabbits-");
    private final ErlangMapper mapper;
    private final List<RabbitMqServer> nodes = new ArrayList<>();

    private RabbitMqCluster(RabbitMqInstallation installation) {
        this.mapper = new ErlangMapper(installation, folder);
    }

    /**
     * Starts nodes and returns when all of them answer.
     *
     * @throws io.sluice.testkit.debian.ServerUnavailableException if their package is not available, which skips a test
     */
    public static RabbitMqCluster start(int nodes) {
        return start(RabbitMqInstallation.find(), nodes);
    }

    /**
     * Starts nodes of RabbitMQ 4.3, whose metadata are in Khepri: a node that is without a majority does not pause.
     *
     * @throws io.sluice.testkit.debian.ServerUnavailableException if their package is not available, which skips a test
     */
    public static RabbitMqCluster startWithKhepri(int nodes) {
        return start(RabbitMqInstallation.findWithKhepri(), nodes);
    }

    private static RabbitMqCluster start(RabbitMqInstallation installation, int nodes) {
        RabbitMqCluster cluster = new RabbitMqCluster(installation);
        try {
            cluster.startNodes(installation, nodes);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startNodes(RabbitMqInstallation installation, int count) {
        mapper.startOnFreePort();
        for (int i = 0; i < count; i++) {
            String peer = nodes.isEmpty() ? null : nodes.get(0).name();
            nodes.add(RabbitMqServer.start(
                    installation,
                    RabbitMqOptions.defaults(),
                    new RabbitMqServer.Membership(mapper, peer, ERLANG_OPTIONS)));
        }
        ask(nodes.get(0), channel -> channel.exchangeDeclare(EXCHANGE, "direct", true));
    }

    /** A node, by its number from 0 on. */
    public RabbitMqServer node(int index) {
        return nodes.get(index);
    }

    /** All nodes. */
    public List<RabbitMqServer> nodes() {
        return List.copyOf(nodes);
    }

    /** Any node that runs, but not this one. */
    public RabbitMqServer otherThan(RabbitMqServer node) {
        return nodes.stream()
                .filter(other -> other != node && other.isRunning())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no other node runs"));
    }

    /** Host and port of all nodes, separated by commas. */
    public String addresses() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
    }

    /** Makes a topic whose messages each node has, and which this one leads. */
    public void createQuorumTopic(String topic, RabbitMqServer leader, Map<String, Object> arguments) {
        Map<String, Object> all = new HashMap<>(arguments);
        all.put("x-queue-type", "quorum");
        createTopic(topic, leader, all);
    }

    /** Makes a topic whose messages one node alone has. */
    public void createClassicTopic(String topic, RabbitMqServer home) {
        createTopic(topic, home, Map.of());
    }

    private static void createTopic(String topic, RabbitMqServer node, Map<String, Object> arguments) {
        ask(
                node,
                channel -> { // a queue is where its client is connected, unless it says otherwise
                    channel.queueDeclare(topic, true, false, false, arguments);
                    return channel.queueBind(topic, EXCHANGE, topic);
                });
    }

    /** Which node leads a quorum queue now, as a running one sees it. */
    public RabbitMqServer leaderOf(String queue, RabbitMqServer asked) {
        String answer = asked.control("--silent", "list_queues", "name", "leader");
        return answer.lines()
                .map(line -> line.split("\t"))
                .filter(fields -> fields.length == 2 && fields[0].equals(queue))
                .flatMap(fields -> nodes.stream().filter(node -> node.name().equals(fields[1])))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node leads %s: %s".formatted(queue, answer)));
    }

    /** Waits until each node has all as members that run, as it has some time after one was frozen or cut off. */
    public void awaitJoined() {
        for (RabbitMqServer node : nodes) {
            if (!Polling.await(JOIN_TIMEOUT, () -> runningMembers(node) == nodes.size())) {
                throw new IllegalStateException("node %s is not joined to all others in time".formatted(node.name()));
            }
        }
    }

    private static int runningMembers(RabbitMqServer node) {
        try {
            return Integer.parseInt(node.control("eval", "length(rabbit_mnesia:cluster_nodes(running)).")
                    .strip());
        } catch (IllegalStateException e) { // it is starting
            return 0;
        }
    }

    /** Takes what a queue holds, in its order, while nothing is written to it. */
    public List<String> texts(String queue, Duration atMost) {
        return ask(nodes.get(0), channel -> {
            long count = channel.messageCount(queue);
            BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
            channel.basicConsume(queue, true, (tag, delivery) -> arrived.add(delivery), tag -> {});
            List<String> texts = new ArrayList<>();
            while (texts.size() < count) {
                Delivery delivery = poll(arrived, atMost);
                texts.add(new String(delivery.getBody(), StandardCharsets.UTF_8));
            }
            return texts;
        });
    }

    private static Delivery poll(BlockingQueue<Delivery> arrived, Duration atMost) {
        try {
            Delivery delivery = arrived.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
            if (delivery == null) {
                throw new IllegalStateException("nothing more came in time");
            }
            return delivery;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading", e);
        }
    }

    /** Sends a request over a connection of its own to a node. */
    public static <T> T ask(RabbitMqServer node, RabbitMqBroker.Question<T> question) {
        try (Connection connection = node.connect();
                Channel channel = connection.createChannel()) {
            return question.ask(channel);
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the broker rejected it", e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(RabbitMqServer::close);
        mapper.stop();
        Folders.delete(folder);
    }
}
