package io.sluice.client;

import com.google.protobuf.ByteString;
import io.sluice.protocol.packet.ClientAck;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.ClientRollback;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.Handshake;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import io.sluice.protocol.packet.Unsub;
import io.sluice.protocol.wire.Scramble;
import java.io.IOException;
import java.time.Duration;

/**
 * Pulls the changes of one destination from one server.
 *
 * <pre>{@code
 * try (PullClient client = PullClient.connect(ClientOptions.of("localhost", 11111, "shop"))) {
 *     client.subscribe("shop\\..*");
 *     while (true) {
 *         ChangeBatch batch = client.getWithoutAck(1000, Duration.ofSeconds(1));
 *         for (TableChange change : batch.changes()) {
 *             ...
 *         }
 *         client.ack(batch);
 *     }
 * }
 * }</pre>
 *
 * <p>What was got and not acked is handed out again to the next client that connects: delivery is at least once. For one
 * thread. An {@link IOException} other than {@link ServerRefusedException} means that the connection is lost: close the client
 * and connect again.
 */
public final class PullClient implements AutoCloseable {
    private static final int MILLISECONDS = 2;
    private static final int NO_WAIT = -1;

    private final ClientOptions options;
    private final PacketStream packets;

    private PullClient(ClientOptions options, PacketStream packets) {
        this.options = options;
        this.packets = packets;
    }

    /**
     * Connects, logs in, and gives back what an earlier connection of the same client has left unacked.
     *
     * @throws ServerRefusedException if user or password are wrong
     */
    public static PullClient connect(ClientOptions options) throws IOException {
        PacketStream packets = PacketStream.open(options);
        try {
            PullClient client = new PullClient(options, packets);
            client.logIn();
            client.rollback();
            return client;
        } catch (IOException e) {
            packets.close();
            throw e;
        }
    }

    private void logIn() throws IOException {
        Packet greeting = packets.read(Duration.ZERO);
        if (greeting.getType() != PacketType.HANDSHAKE) {
            throw new IOException("the server does not greet: is it one?");
        }
        ClientAuth.Builder login = ClientAuth.newBuilder().setUsername(options.user());
        if (!options.password().isEmpty()) {
            byte[] seed = Handshake.parseFrom(greeting.getBody()).getSeeds().toByteArray();
            login.setPassword(ByteString.copyFromUtf8(Scramble.token(options.password(), seed)));
        }
        packets.send(PacketType.CLIENTAUTHENTICATION, login.build());
        packets.readAck();
    }

    /**
     * Says that changes are wanted.
     *
     * @param filter the tables, as regular expressions of {@code schema.table} separated by commas; it counts for all clients
     *     of the destination. Empty leaves the filter in force
     */
    public void subscribe(String filter) throws IOException {
        packets.send(
                PacketType.SUBSCRIPTION,
                Sub.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .setFilter(filter)
                        .build());
        packets.readAck();
    }

    /** Gives up the subscription, and the cursor with it. */
    public void unsubscribe() throws IOException {
        packets.send(
                PacketType.UNSUBSCRIPTION,
                Unsub.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .build());
        packets.readAck();
    }

    /** Gets what is there, be it nothing; {@code size} as below. */
    public ChangeBatch getWithoutAck(int size) throws IOException {
        return get(size, NO_WAIT);
    }

    /**
     * Gets a full batch, or what is there when the time is over, be it nothing.
     *
     * @param size the size of a full batch: KiB as the server is shipped, or entries; at least 1
     * @param longest more than a millisecond
     */
    public ChangeBatch getWithoutAck(int size, Duration longest) throws IOException {
        return get(size, Math.max(1, longest.toMillis()));
    }

    private ChangeBatch get(int size, long millis) throws IOException {
        if (size < 1) {
            throw new IllegalArgumentException("a batch of size " + size);
        }
        packets.send(
                PacketType.GET,
                Get.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .setFetchSize(size)
                        .setTimeout(millis)
                        .setUnit(MILLISECONDS)
                        .build());
        Packet answer = packets.read(Duration.ofMillis(Math.max(0, millis)));
        if (answer.getType() == PacketType.ACK) {
            PacketStream.requireOk(answer);
        }
        if (answer.getType() != PacketType.MESSAGES) {
            throw new IOException("the server answered by " + answer.getType());
        }
        return ChangeBatch.of(Messages.parseFrom(answer.getBody()));
    }

    /**
     * Confirms a batch: it never comes again. Batches are acked in the order in which they came; an empty one needs no ack,
     * and gets none. If the server refuses, the next request says so.
     */
    public void ack(ChangeBatch batch) throws IOException {
        if (!batch.isEmpty()) {
            packets.send(
                    PacketType.CLIENTACK,
                    ClientAck.newBuilder()
                            .setDestination(options.destination())
                            .setClientId(clientId())
                            .setBatchId(batch.id())
                            .build());
        }
    }

    /** Has everything handed out again that was not acked. */
    public void rollback() throws IOException {
        packets.send(
                PacketType.CLIENTROLLBACK,
                ClientRollback.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .build());
    }

    private String clientId() {
        return Integer.toString(options.clientId());
    }

    /** Closes the connection. What was not acked comes again. */
    @Override
    public void close() throws IOException {
        packets.close();
    }
}
