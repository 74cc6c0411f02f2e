package io.sluice.connector.rabbitmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.LongStringHelper;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with its lanes, from the first message on to the first failure.
 *
 * <p>A message that is refused for itself leaves the connection as it is: what was taken before continues, and nothing after
 * it is taken until {@link #forgive}. Any other failure ends the link: its socket is closed on the spot, so that nothing more
 * leaves, and all that is not answered fails. Thread-safe.
 */
final class Link implements Lane.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final String EPOCH_HEADER = "sluice-epoch";
    private static final String KEY_HEADER = "sluice-key";
    private static final int PERSISTENT = 2;

    private final RabbitSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final Fence fence;
    private final Caution caution;
    private final Window window;
    private final Object connecting = new Object();
    private final Object ending = new Object();

    @GuardedBy("ending") private boolean ended;

    @GuardedBy("ending") private @Nullable Socket socket;

    private volatile @Nullable Exception failure;
    private volatile @Nullable Connection connection;
    private volatile List<Lane> lanes = List.of();
    private volatile boolean blocked;
    private volatile long unblockedNanos;

    /** Does not connect yet. */
    Link(RabbitSettings settings, Ownership ownership, Fence fence, Caution caution, Time time) {
        this.settings = settings;
        this.ownership = ownership;
        this.fence = fence;
        this.caution = caution;
        this.time = time;
        this.unblockedNanos = time.nanos();
        this.window = new Window(() -> caution.isOn() ? 1 : settings.mostInFlight());
    }

    /** See {@link io.sluice.connector.api.producer.MessageProducer#send}. */
    void send(Message message, DeliveryCallback callback) {
        Exception before = failure;
        if (before != null) {
            callback.failed(
                    new SendFailure(
                            FailureKind.PASSING, "not sent, since a message before it failed: " + before, before),
                    FailureKind.PASSING);
            return;
        }
        try {
            check(message);
        } catch (SendFailure e) {
            failure = e;
            callback.failed(e, e.kind());
            return;
        }
        try {
            connect();
            enter();
        } catch (SendFailure e) {
            end(e);
            callback.failed(e, e.kind());
            return;
        }
        Lane lane = lanes.get(Math.floorMod(message.topic().hashCode(), lanes.size()));
        try {
            lane.publish(message, properties(message), callback);
            if (hasEnded()) { // and perhaps before the lane had the message
                lane.fail(notSent(failure), FailureKind.PASSING);
            }
        } catch (IOException | RuntimeException e) {
            end(notSent(e));
            lane.fail(notSent(e), FailureKind.PASSING);
        }
    }

    private void check(Message message) throws SendFailure {
        if (!ownership.isHeld()) {
            throw notOurs();
        }
        if (message.value().length > settings.maxMessageBytes()) {
            throw new SendFailure(
                    FailureKind.TOO_LARGE,
                    "a message of %d bytes for %s is larger than rabbitmq.max.message.bytes=%d"
                            .formatted(message.value().length, message.topic(), settings.maxMessageBytes()));
        }
    }

    private static SendFailure notOurs() {
        return new SendFailure(
                FailureKind.PASSING, "not sent, since this server is not sure to own the destination any more");
    }

    private static SendFailure notSent(@Nullable Exception cause) {
        String text = cause == null ? "closed" : RabbitErrors.textOf(cause);
        SendFailure failure =
                new SendFailure(FailureKind.PASSING, "the connection to RabbitMQ is gone, not confirmed: " + text);
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    /** Waits for a place among the messages in flight, which is the back-pressure of a slow or blocked broker. */
    private void enter() throws SendFailure {
        try {
            if (!window.enter(settings.blockTimeout())) {
                throw new SendFailure(
                        FailureKind.PASSING,
                        blocked
                                ? "RabbitMQ blocks publishers, as it does when memory or disk run short"
                                : "RabbitMQ confirms too slowly: inFlight=" + window.inFlight());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendFailure(FailureKind.PASSING, "interrupted while waiting to send", e);
        }
    }

    private void connect() throws SendFailure {
        synchronized (connecting) {
            if (!lanes.isEmpty()) {
                return;
            }
            try {
                Connection opened = settings.factory(this::take).newConnection("sluice");
                connection = opened;
                opened.addBlockedListener(this::blocked, this::unblocked);
                fence.pass(opened, settings.connectTimeout());
                settings.topology().declare(opened);
                List<Lane> made = new ArrayList<>();
                for (int i = 0; i < settings.channels(); i++) {
                    made.add(Lane.open(
                            opened.createChannel(), settings.topology().exchange(), settings.mandatory(), this, time));
                }
                lanes = List.copyOf(made);
                LOG.info("connected to RabbitMQ: address={}", settings.address().place());
            } catch (IOException | TimeoutException | RuntimeException e) {
                throw RabbitErrors.connecting(e, settings.address());
            }
        }
    }

    /** Keeps the socket of a connection that is being made, so that it can be closed during a write. */
    private void take(Socket made) throws IOException {
        synchronized (ending) {
            if (ended) {
                throw new IOException("closed while connecting");
            }
            socket = made;
        }
    }

    private AMQP.BasicProperties properties(Message message) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .contentType("text/plain")
                .deliveryMode(PERSISTENT)
                .priority(0);
        Map<String, Object> headers = new HashMap<>();
        if (ownership.epoch() != 0) {
            headers.put(EPOCH_HEADER, Long.toString(ownership.epoch()));
        }
        byte[] key = message.key();
        if (key != null) {
            headers.put(KEY_HEADER, LongStringHelper.asLongString(key));
        }
        for (MessageHeader header : message.headers()) {
            headers.put(header.name(), header.value());
        }
        return (headers.isEmpty() ? properties : properties.headers(headers)).build();
    }

    private void blocked(String reason) {
        blocked = true;
        window.block(true);
        LOG.warn("RabbitMQ blocks publishers, waiting: reason={}", reason);
    }

    private void unblocked() {
        LOG.info("RabbitMQ takes messages again");
        blocked = false;
        unblockedNanos = time.nanos();
        window.block(false);
    }

    /** To be called now and then: gives up on a broker that does not answer, and when ownership is gone. */
    void watch() {
        if (lanes.isEmpty() || window.inFlight() == 0) {
            return;
        }
        if (!ownership.isHeld()) {
            end(notOurs());
            return;
        }
        long now = time.nanos();
        long age = 0;
        for (Lane lane : lanes) {
            age = Math.max(age, now - lane.oldestNanos(now));
        }
        Duration longest = blocked ? settings.blockTimeout() : settings.confirmTimeout();
        if (!blocked) {
            age = Math.min(age, now - unblockedNanos);
        }
        if (age > longest.toNanos()) {
            end(new SendFailure(
                    FailureKind.PASSING,
                    blocked
                            ? "RabbitMQ blocks publishers, as it does when memory or disk run short"
                            : "RabbitMQ has not confirmed a message in time: limitMs=" + longest.toMillis()));
        }
    }

    @Override
    public void answered(boolean byTheBroker) {
        if (byTheBroker) {
            caution.passed();
        }
        window.leave();
    }

    @Override
    public void unroutable(SendFailure why) {
        failure = why;
    }

    @Override
    public void lost(SendFailure why) {
        end(why);
    }

    @Override
    public void closed(Lane lane, ShutdownSignalException why) {
        if (why.isInitiatedByApplication()) {
            return;
        }
        FailureKind kind = RabbitErrors.kindOfRefusal(why);
        int inFlight = window.inFlight();
        if (kind != FailureKind.PASSING && inFlight == 1) {
            SendFailure refusal = new SendFailure(kind, "RabbitMQ refuses a message: " + RabbitErrors.textOf(why), why);
            failure = refusal;
            lane.failOldest(refusal, kind); // it makes room for the next message, which is not to blame
        } else if (kind != FailureKind.PASSING) {
            caution.begin(inFlight);
        }
        end(notSent(why));
    }

    /** What went wrong first; null if nothing did. */
    @Nullable Exception failure() {
        return failure;
    }

    /** Whether nothing can be sent by it any more. */
    boolean hasEnded() {
        synchronized (ending) {
            return ended;
        }
    }

    /** Takes messages again after one that was refused for itself. */
    void forgive() {
        failure = null;
    }

    /** Waits until all that was taken is answered; gives up on it after the given time. */
    boolean awaitAnswers(Duration atMost) throws InterruptedException {
        return window.awaitEmpty(atMost);
    }

    /** Sends nothing more, and fails what is not answered. */
    void end(Exception cause) {
        Socket open;
        synchronized (ending) {
            if (failure == null) {
                failure = cause;
            }
            if (ended) {
                return;
            }
            ended = true;
            open = socket;
        }
        window.close();
        if (open != null) {
            cut(open);
        }
        lanes.forEach(lane -> lane.fail(cause, FailureKind.PASSING));
    }

    /** Drops what the system has not sent yet, too. */
    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            LOG.trace("closed already", e);
        }
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed: cause={}", String.valueOf(e));
        }
    }

    /** Says goodbye to the broker, if all is answered. */
    void close(Duration atMost) {
        Connection open = connection;
        if (open != null && window.inFlight() == 0) {
            open.abort(AMQP.REPLY_SUCCESS, "closed", (int) Math.max(1, Math.min(atMost.toMillis(), 5_000)));
        }
        end(new SendFailure(FailureKind.PASSING, "the producer was closed"));
    }
}
