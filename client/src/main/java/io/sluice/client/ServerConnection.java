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
 * Pulls from one server, over one connection. For one thread; only {@link #close} may be called by others, and ends what the
 * one thread waits for.
 */
final class ServerConnection implements PullClient {
    private static final int MILLISECONDS = 2;
    private static final int NO_WAIT = -1;

    private final ClientOptions options;
    private final PacketStream packets;

    /** Makes a client that is not connected yet, so that it can be closed while it connects. */
    ServerConnection(ClientOptions options) throws IOException {
        this.options = options;
        this.packets = new PacketStream(options.sockets(), options.checksServerName());
    }

    /**
     * Connects, logs in, and gives back what an earlier connection of the same client has left unacked; closed if it fails.
     *
     * @param limit how long each step may take
     * @throws RequestRejectedException if user or password are wrong
     */
    void open(Duration limit) throws IOException {
        try {
            packets.connect(options.host(), options.port(), limit);
            logIn(limit);
            rollback();
        } catch (IOException e) {
            packets.close();
            throw e;
        }
    }

    private void logIn(Duration limit) throws IOException {
        Packet greeting = packets.read(limit);
        if (greeting.getType() != PacketType.HANDSHAKE) {
            throw new IOException("the server does not begin with a handshake: is this a canal or Sluice server?");
        }
        ClientAuth.Builder login = ClientAuth.newBuilder().setUsername(options.user());
        if (!options.password().isEmpty()) {
            byte[] seed = Handshake.parseFrom(greeting.getBody()).getSeeds().toByteArray();
            login.setPassword(ByteString.copyFromUtf8(Scramble.token(options.password(), seed)));
        }
        packets.send(PacketType.CLIENTAUTHENTICATION, login.build());
        packets.readAck(limit);
    }

    @Override
    public void subscribe(String filter) throws IOException {
        subscribe(filter, options.timeout());
    }

    void subscribe(String filter, Duration limit) throws IOException {
        packets.send(
                PacketType.SUBSCRIPTION,
                Sub.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .setFilter(filter)
                        .build());
        packets.readAck(limit);
    }

    @Override
    public void unsubscribe() throws IOException {
        packets.send(
                PacketType.UNSUBSCRIPTION,
                Unsub.newBuilder()
                        .setDestination(options.destination())
                        .setClientId(clientId())
                        .build());
        packets.readAck(options.timeout());
    }

    @Override
    public ChangeBatch getWithoutAck(int size) throws IOException {
        return get(size, NO_WAIT);
    }

    @Override
    public ChangeBatch getWithoutAck(int size, Duration longest) throws IOException {
        return get(size, PacketStream.millis(longest));
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
        Packet answer = packets.read(Duration.ofMillis(PacketStream.millis(options.timeout()) + Math.max(0, millis)));
        if (answer.getType() == PacketType.ACK) {
            PacketStream.requireOk(answer);
        }
        if (answer.getType() != PacketType.MESSAGES) {
            throw new IOException("the server answered by " + answer.getType());
        }
        return ChangeBatch.of(Messages.parseFrom(answer.getBody()));
    }

    @Override
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

    @Override
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

    @Override
    public void close() throws IOException {
        packets.close();
    }
}
