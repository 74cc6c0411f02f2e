package io.sluice.server.config.server;

/** Where the server's instances deliver to: {@code canal.serverMode}. */
public enum ServerMode {
    TCP("tcp"),
    KAFKA("kafka"),
    ROCKETMQ("rocketMQ"),
    RABBITMQ("rabbitMQ"),
    PULSARMQ("pulsarMQ"),
    STDOUT("stdout");

    private final String spelling;

    ServerMode(String spelling) {
        this.spelling = spelling;
    }

    /** As it is written in the configuration; lower-cased it is the name of the producer plugin. */
    public String spelling() {
        return spelling;
    }

    /** Whether entries are sent by a connector; else clients pull them. */
    public boolean isQueue() {
        return this != TCP;
    }

    /** Whether its topics can have several partitions. */
    public boolean hasPartitions() {
        return this != TCP && this != RABBITMQ;
    }
}
