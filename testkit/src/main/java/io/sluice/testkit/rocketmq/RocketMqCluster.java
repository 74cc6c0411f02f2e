package io.sluice.testkit.rocketmq;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Several RocketMQ brokers that are registered at one name server: {@code broker-a}, {@code broker-b} and so on, all of them masters, and slaves of
 * them if a test adds some.
 *
 * <p>Each broker can be stopped, killed, frozen and started again by itself, see {@link RocketMqServer}. For one thread at a time.
 */
public final class RocketMqCluster implements AutoCloseable {
    private final RocketMqOptions options;
    private final RocketMqInstallation installation;
    private final RocketMqNameServer names;
    private final List<RocketMqServer> masters = new ArrayList<>();
    private final List<RocketMqServer> slaves = new ArrayList<>();

    private RocketMqCluster(RocketMqOptions options, RocketMqInstallation installation, RocketMqNameServer names) {
        this.options = options;
        this.installation = installation;
        this.names = names;
    }

    /** Starts brokers with the defaults. */
    public static RocketMqCluster start(int brokers) {
        return start(RocketMqOptions.defaults(), brokers);
    }

    /** Starts a name server and brokers that all have the same options, and returns when all are registered. */
    public static RocketMqCluster start(RocketMqOptions options, int brokers) {
        RocketMqInstallation installation = RocketMqInstallation.find();
        RocketMqCluster cluster = new RocketMqCluster(options, installation, RocketMqNameServer.start(installation));
        try {
            List<CompletableFuture<RocketMqServer>> starting = IntStream.range(0, brokers)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> cluster.startMaster(options, i)))
                    .toList();
            CompletableFuture.allOf(starting.toArray(CompletableFuture[]::new))
                    .handle((all, failure) -> null)
                    .join();
            starting.stream()
                    .filter(each -> !each.isCompletedExceptionally())
                    .forEach(each -> cluster.masters.add(each.join()));
            starting.forEach(CompletableFuture::join);
            return cluster;
        } catch (CompletionException e) {
            cluster.close();
            throw new IllegalStateException("not all brokers came up", e);
        }
    }

    private RocketMqServer startMaster(RocketMqOptions masterOptions, int index) {
        return RocketMqServer.start(masterOptions, installation, names, nameOf(index), 0);
    }

    private static String nameOf(int index) {
        return "broker-" + (char) ('a' + index);
    }

    /** Starts one more broker, which has no topics yet. */
    public RocketMqServer add() {
        return add(options);
    }

    private RocketMqServer add(RocketMqOptions masterOptions) {
        RocketMqServer master = startMaster(masterOptions, masters.size());
        masters.add(master);
        return master;
    }

    /** Starts a slave of a broker; it copies what the master stores, and can be read, but takes no messages. */
    public RocketMqServer addSlave(int master) {
        RocketMqServer slave = RocketMqServer.start(
                options.with("brokerRole", "SLAVE").with("slaveReadEnable", "true"),
                installation,
                names,
                masters.get(master).name(),
                1);
        slaves.add(slave);
        return slave;
    }

    /** Whether the slaves of a broker know a topic, and have all that it has stored. */
    boolean isCopied(int master, String topic) {
        RocketMqServer of = masters.get(master);
        try (RocketMqReader client = reader()) {
            return slaves.stream()
                    .filter(slave -> slave.name().equals(of.name()))
                    .allMatch(slave -> client.hasTopic(slave.broker(), topic)
                            && client.storedBytes(slave.broker()) == client.storedBytes(of.broker()));
        }
    }

    /** Whether the name server lists a master. */
    boolean isListed(int master) {
        try (RocketMqReader client = reader()) {
            return client.isRegistered(masters.get(master).name(), 0);
        }
    }

    /** The name server of all brokers. */
    public RocketMqNameServer names() {
        return names;
    }

    /** Host and port of the name server. */
    public String nameServer() {
        return names.address();
    }

    /** A master, by its number from 0 on. */
    public RocketMqServer broker(int index) {
        return masters.get(index);
    }

    /** Makes a topic with so many queues on each running broker, and returns when the name server knows them all. */
    public void createTopic(String topic, int queuesOfEach) {
        masters.stream().filter(RocketMqServer::isRunning).forEach(broker -> broker.createTopic(topic, queuesOfEach));
    }

    /**
     * Makes an ordered topic: its queues stay the same for producers, whether their brokers are up or not.
     *
     * @param queuesOfEach how many it has on each broker
     */
    public void createOrderedTopic(String topic, int queuesOfEach) {
        List<String> parts = masters.stream()
                .map(broker -> broker.name() + ":" + queuesOfEach)
                .toList();
        try (RocketMqReader client = reader()) {
            client.orderTopic(topic, String.join(";", parts));
        }
        masters.forEach(broker -> broker.createTopic(topic, queuesOfEach, true));
    }

    /** A new reader of what all running brokers have, to be closed by the caller. */
    public RocketMqReader reader() {
        return new RocketMqReader(
                nameServer(),
                () -> masters.stream()
                        .filter(RocketMqServer::isRunning)
                        .map(RocketMqServer::broker)
                        .toList(),
                options.accessKey(),
                options.secretKey());
    }

    @Override
    public void close() {
        slaves.forEach(RocketMqServer::close);
        masters.forEach(RocketMqServer::close);
        names.close();
    }
}
