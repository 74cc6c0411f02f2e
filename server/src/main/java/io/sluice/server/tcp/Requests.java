package io.sluice.server.tcp;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLiteOrBuilder;
import com.google.protobuf.Parser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.packet.ClientAck;
import io.sluice.protocol.packet.ClientRollback;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.Sub;
import io.sluice.protocol.packet.Unsub;
import io.sluice.protocol.time.Time;
import io.sluice.protocol.wire.ServerPackets;
import io.sluice.server.port.Frames;
import io.sluice.server.port.PrintableInput;
import io.sluice.server.pull.PullAnswer;
import io.sluice.server.pull.PullClients;
import io.sluice.server.pull.PullException;
import io.sluice.server.pull.PullRequest;
import io.sluice.server.pull.PulledBatch;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.ring.StoreClosedException;
import io.sluice.stream.failure.StreamException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the requests of one client, and answers them in canal's words. Called by one thread at a time, which it does not
 * keep waiting.
 */
final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    /** Anything else that went wrong. */
    private static final int FAILED = 400;
    /** No destination or no client was named. */
    private static final int NAME_MISSING = 401;
    /** No batch was named. */
    private static final int BATCH_MISSING = 402;

    // Without unknown fields: these take many times their bytes of the heap, and more than there is as text, in which
    // each is taken for a message in another.
    private static final Parser<Sub> SUB = DiscardUnknownFieldsParser.wrap(Sub.parser());
    private static final Parser<Unsub> UNSUB = DiscardUnknownFieldsParser.wrap(Unsub.parser());
    private static final Parser<Get> GET = DiscardUnknownFieldsParser.wrap(Get.parser());
    private static final Parser<ClientAck> ACK = DiscardUnknownFieldsParser.wrap(ClientAck.parser());
    private static final Parser<ClientRollback> ROLLBACK = DiscardUnknownFieldsParser.wrap(ClientRollback.parser());

    private final Destinations destinations;
    private final ClientCounts counts;
    private final SubscriptionLog log;
    private final String remote;
    private final Duration longestWait;
    private final Time time;

    /**
     * Makes them for one connection.
     *
     * @param counts counts all requests
     * @param log logs all subscriptions
     * @param remote the client's address
     * @param longestWait what a get may wait, whatever it asks for
     * @param time measures how long a request takes
     */
    Requests(
            Destinations destinations,
            ClientCounts counts,
            SubscriptionLog log,
            String remote,
            Duration longestWait,
            Time time) {
        this.destinations = destinations;
        this.counts = counts;
        this.log = log;
        this.remote = remote;
        this.longestWait = longestWait;
        this.time = time;
    }

    /** A request that names too little. */
    private static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int code;

        MissingException(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    /**
     * Whether a packet subscribes to a destination that is being started, so that it is to be answered later; or rolls back there, as the Java
     * client does before it subscribes.
     */
    boolean isEarly(Packet packet) {
        try {
            return switch (packet.getType()) {
                case SUBSCRIPTION -> isStarting(SUB.parseFrom(packet.getBody()).getDestination());
                case CLIENTROLLBACK ->
                    isStarting(ROLLBACK.parseFrom(packet.getBody()).getDestination());
                default -> false;
            };
        } catch (InvalidProtocolBufferException e) {
            return false; // its answer states that
        }
    }

    /** Whether a destination is being started since a client has asked for it. */
    boolean isStarting(String name) {
        return destinations.find(name) == null && destinations.isStarting(name);
    }

    /** Answers a packet. */
    void answer(Packet packet, Reply to) {
        Exchange reply = new Exchange(packet.getType(), counts, to, time);
        try {
            switch (packet.getType()) {
                case SUBSCRIPTION -> subscribe(SUB.parseFrom(packet.getBody()), reply);
                case UNSUBSCRIPTION -> unsubscribe(UNSUB.parseFrom(packet.getBody()), reply);
                case GET -> get(GET.parseFrom(packet.getBody()), reply);
                case CLIENTACK -> ack(ACK.parseFrom(packet.getBody()), reply);
                case CLIENTROLLBACK -> rollback(ROLLBACK.parseFrom(packet.getBody()), reply);
                default -> error(reply, FAILED, "packet type: %s is NOT supported!".formatted(packet.getType()));
            }
        } catch (MissingException e) {
            error(reply, e.code, String.valueOf(e.getMessage()));
        } catch (PullException e) {
            failed(reply, String.valueOf(e.getMessage()));
        } catch (StoreClosedException e) {
            failed(reply, "the destination is stopping");
        } catch (InvalidProtocolBufferException e) {
            failed(reply, "the packet's body cannot be read");
        } catch (CursorException e) {
            LOG.warn("a client's cursor cannot be kept: remote={}", remote, e);
            failed(reply, "the cursor cannot be kept, see the server's log");
        } catch (RuntimeException e) {
            LOG.error("a request failed: remote={} type={}", remote, packet.getType(), e);
            failed(reply, "internal error, see the server's log");
        }
    }

    /**
     * Subscribes a client.
     *
     * @throws PullException if that cannot be
     */
    void subscribe(String name, String clientId, String filter) {
        PullClients clients = destination(name).clients();
        int client = client(clientId);
        clients.subscribe(client, filter);
        log.subscribed(name, client, filter, remote);
    }

    private void subscribe(Sub sub, Exchange reply) throws MissingException {
        requireNames(sub.getDestination(), sub.getClientId(), "Sub", sub);
        destination(sub.getDestination(), reply);
        subscribe(sub.getDestination(), sub.getClientId(), sub.getFilter());
        ok(reply);
    }

    private void unsubscribe(Unsub unsub, Exchange reply) throws MissingException {
        requireNames(unsub.getDestination(), unsub.getClientId(), "Unsub", unsub);
        destination(unsub.getDestination(), reply).clients().unsubscribe(client(unsub.getClientId()));
        ok(reply);
    }

    private void get(Get get, Exchange reply) throws MissingException {
        requireNames(get.getDestination(), get.getClientId(), "Get", get);
        Destination destination = destination(get.getDestination(), reply);
        PullClients clients = destination.clients();
        int client = client(get.getClientId());
        PullRequest request =
                new PullRequest(client, destination.limit(get.getFetchSize()), GetTimeout.of(get, longestWait));
        reply.whenGone(clients.get(request, new PullAnswer() {
            @Override
            public boolean isWanted() {
                return reply.isOpen();
            }

            @Override
            public void batch(PulledBatch batch) {
                send(destination, client, batch, reply);
            }

            @Override
            public void failed(PullException why) {
                Requests.this.failed(reply, String.valueOf(why.getMessage()));
            }
        }));
    }

    private void send(Destination destination, int client, PulledBatch batch, Exchange reply) {
        if (batch.isEmpty()) {
            reply.sendNothing(Frames.of(ServerPackets.nothing()));
            return;
        }
        PullClients clients = destination.clients();
        ByteBuf frame;
        try {
            frame = MessagesFrame.of(batch, destination.store().rawEntry(), ByteBufAllocator.DEFAULT);
        } catch (RuntimeException | OutOfMemoryError e) {
            clients.sent(batch);
            LOG.error(
                    "a batch cannot be sent: remote={} batch={} entries={}",
                    remote,
                    batch.id(),
                    batch.entries().size(),
                    e);
            if (e instanceof MalformedEventException || e instanceof StreamException) { // it would fail again
                destination.onDamage().accept((RuntimeException) e);
            }
            takeBack(clients, client);
            // Closed, since a client that continued would get what follows the batch, and could not ack it.
            String why = failure(remote, "the batch cannot be sent, see the server's log");
            reply.rejectAndClose(FAILED, Frames.of(ServerPackets.error(FAILED, why)));
            return;
        }
        reply.send(frame, () -> clients.sent(batch));
    }

    /** Makes the batches of a client void, so that they come again. */
    private static void takeBack(PullClients clients, int client) {
        try {
            clients.rollback(client);
        } catch (PullException | StoreClosedException e) {
            LOG.debug("a batch went with its instance: client={}", client, e);
        }
    }

    private void ack(ClientAck ack, Exchange reply) throws MissingException {
        requireNames(ack.getDestination(), ack.getClientId(), "Ack", ack);
        if (ack.getBatchId() == 0) {
            throw new MissingException(
                    BATCH_MISSING, "batchId should assign value. Ack: " + PrintableInput.text(ack.toString()));
        }
        if (ack.getBatchId() != -1) {
            destination(ack.getDestination(), reply).clients().ack(client(ack.getClientId()), ack.getBatchId());
        }
        reply.silence();
    }

    private void rollback(ClientRollback rollback, Exchange reply) throws MissingException {
        requireNames(rollback.getDestination(), rollback.getClientId(), "Rollback", rollback);
        PullClients clients = destination(rollback.getDestination(), reply).clients();
        int client = client(rollback.getClientId());
        if (rollback.getBatchId() == 0) {
            clients.rollback(client);
        } else {
            clients.rollback(client, rollback.getBatchId());
        }
        reply.silence();
    }

    private static void requireNames(String destination, String clientId, String kind, MessageLiteOrBuilder body)
            throws MissingException {
        if (destination.isEmpty() || clientId.isEmpty()) {
            throw new MissingException(
                    NAME_MISSING,
                    "destination or clientId is null. %s: %s".formatted(kind, PrintableInput.text(body.toString())));
        }
    }

    private Destination destination(String name, Exchange exchange) {
        Destination found = destination(name);
        exchange.setDestination(name);
        return found;
    }

    private Destination destination(String name) {
        Destination found = destinations.find(name);
        if (found == null) {
            throw PullException.notStarted(PrintableInput.text(name));
        }
        return found;
    }

    private static int client(String clientId) {
        try {
            return Short.parseShort(clientId);
        } catch (NumberFormatException e) {
            throw new PullException("client_id is not a number from -32768 to 32767: " + PrintableInput.text(clientId));
        }
    }

    private void failed(Exchange reply, String why) {
        error(reply, FAILED, failure(remote, why));
    }

    /** What a client is answered whose request failed, in canal's words. */
    static String failure(String remote, String why) {
        return "something goes wrong with channel: %s, exception: %s".formatted(remote, why);
    }

    private static void ok(Exchange reply) {
        reply.send(Frames.of(ServerPackets.ok()), () -> {});
    }

    private static void error(Exchange reply, int code, String message) {
        reply.reject(code, Frames.of(ServerPackets.error(code, message)));
    }
}
