package io.sluice.connector.rabbitmq.send;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.LongStringHelper;
import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.CutOffNode;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.node.RightsLookup;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.topology.OtherNodes;
import io.sluice.connector.rabbitmq.unroutable.QueueLookup;
import io.sluice.connector.rabbitmq.unroutable.UnroutableMessages;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with its channels, made with the first message.
 *
 * <p>A message that is rejected for itself halts the attempt; any other failure ends it: the socket is closed at once, so that
 * nothing more leaves, and all that is not answered fails. The broker decides on each message alone: it may store those that it has read
 * after one that it rejects. So what it may reject again is sent one by one.
 */
public final class RabbitConnection implements BrokerConnection, ConfirmChannel.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConnection.class);
    private static final String EPOCH_HEADER = "sluice-epoch";
    private static final String KEY_HEADER = "sluice-key";
    private static final int PERSISTENT = 2;
    private static final Duration A_DAY = Duration.ofDays(1);

    private final Attempt attempt;
    private final RabbitSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final InFlightLimit limit;
    private final CutOffNode cutOff;
    private final RightsLookup rights;
    private final Fence fence;
    private final Executor background;
    private final NodeDialer dialer;
    private final Window window;
    private final QueueLookup lookup;
    private final UnroutableMessages unroutable;
    private final Object connecting = new Object();
    private volatile List<ConfirmChannel> channels = List.of();
    private volatile int frameMax;
    private volatile boolean blocked;
    private volatile long unblockedNanos;

    /**
     * Does not connect yet.
     *
     * @param background runs what may take long
     */
    RabbitConnection(
            Attempt attempt,
            RabbitSettings settings,
            Ownership ownership,
            NodeOrder nodes,
            OtherNodes others,
            Fence fence,
            InFlightLimit limit,
            CutOffNode cutOff,
            RightsLookup rights,
            Executor background,
            Time time) {
        this.attempt = attempt;
        this.settings = settings;
        this.ownership = ownership;
        this.limit = limit;
        this.cutOff = cutOff;
        this.rights = rights;
        this.fence = fence;
        this.background = background;
        this.time = time;
        this.unblockedNanos = time.nanos();
        this.window = new Window(limit::current);
        this.dialer =
                new NodeDialer(attempt, settings, ownership, nodes, others, fence, cutOff, rights, new Blocking());
        this.lookup = new QueueLookup(settings, dialer, time);
        this.unroutable = new UnroutableMessages(lookup, () -> answered(true));
    }

    @Override
    public void send(Message message, DeliveryCallback callback) throws SendException {
        requireSize(message);
        FrameLimits.checkRoutingKey(message.topic());
        Map<String, Object> headers = headers(message);
        prepareToSend(message, headers);
        ConfirmChannel channel = channels.get(Math.floorMod(message.topic().hashCode(), channels.size()));
        try {
            channel.publish(message, properties(headers), callback);
            if (attempt.hasEnded()) { // and perhaps before the channel had the message
                channel.fail(notConfirmed(attempt.failure()), FailureKind.PASSING);
            }
        } catch (ShutdownSignalException e) {
            failClosed(channel, e);
        } catch (IOException | RuntimeException e) {
            dialer.leaveNode();
            attempt.end(notConfirmed(e));
            channel.fail(notConfirmed(e), FailureKind.PASSING);
        }
    }

    /** Connects, and waits until the window admits another message. */
    private void prepareToSend(Message message, Map<String, Object> headers) throws SendException {
        try {
            connect();
        } catch (SendException e) {
            if (e.getCause() instanceof NotAdmittedException refused) {
                attempt.end(refused);
                throw refused;
            }
            attempt.end(e);
            throw e;
        }
        FrameLimits.checkHeaders(message.topic(), headers, frameMax);
        try {
            enter();
        } catch (SendException e) {
            attempt.end(e);
            throw e;
        }
        Exception before = attempt.failure();
        if (before != null || !ownership.isHeld()) { // both may have taken long
            window.leave();
            throw before == null ? NotSentException.notOwned() : NotSentException.after(before);
        }
        limit.sends(message);
    }

    /**
     * Leaves a message to {@link #closed}, which knows whether the broker has closed the channel over it, unless that was called before. A fast broker
     * closes the channel while the message is still being written.
     */
    private void failClosed(ConfirmChannel channel, ShutdownSignalException why) {
        if (why.isInitiatedByApplication()) {
            attempt.end(notConfirmed(why));
        }
        if (attempt.hasEnded()) {
            channel.fail(notConfirmed(attempt.failure()), FailureKind.PASSING);
        }
    }

    private void requireSize(Message message) throws SendException {
        if (message.value().length > settings.maxMessageBytes()) {
            throw new SendException(
                    FailureKind.TOO_LARGE,
                    "a message of %d bytes for %s is larger than rabbitmq.max.message.bytes=%d"
                            .formatted(message.value().length, message.topic(), settings.maxMessageBytes()));
        }
    }

    private static SendException notConfirmed(@Nullable Exception cause) {
        String text = cause == null ? "closed" : RabbitErrors.explained(cause);
        SendException failure =
                new SendException(FailureKind.PASSING, "connection to RabbitMQ lost, message not confirmed: " + text);
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    /** Waits until the window admits another message, which is the back-pressure of a slow or blocked broker. */
    private void enter() throws SendException {
        try {
            if (!window.enter(settings.blockTimeout())) {
                requireNoFailure();
                dialer.leaveNode();
                throw new SendException(
                        FailureKind.PASSING,
                        blocked ? RabbitErrors.BLOCKED : "RabbitMQ confirms too slowly: inFlight=" + window.inFlight());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendException(FailureKind.PASSING, "interrupted while waiting to send", e);
        }
    }

    /** The window admits nothing more after the end, whatever the broker does. After a rejection it may only be that the lookup takes long. */
    private void requireNoFailure() {
        Exception before = attempt.failure();
        if (before != null) {
            throw NotSentException.after(before);
        }
    }

    private void connect() throws SendException {
        synchronized (connecting) {
            if (channels.isEmpty()) {
                dialer.dial(this::setUp);
            }
        }
    }

    private void setUp(Connection opened, List<Channel> all) throws IOException {
        frameMax = opened.getFrameMax();
        List<ConfirmChannel> made = new ArrayList<>();
        for (Channel each : all) {
            made.add(ConfirmChannel.open(each, settings.topology().exchange(), settings.mandatory(), this, time));
        }
        channels = List.copyOf(made);
    }

    private Map<String, Object> headers(Message message) {
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
        return headers;
    }

    private static AMQP.BasicProperties properties(Map<String, Object> headers) {
        AMQP.BasicProperties.Builder properties = new AMQP.BasicProperties.Builder()
                .contentType("text/plain")
                .deliveryMode(PERSISTENT)
                .priority(0);
        return (headers.isEmpty() ? properties : properties.headers(headers)).build();
    }

    /** Whether the broker blocks publishers. */
    private final class Blocking implements BlockedListener {
        @Override
        public void handleBlocked(String reason) {
            blocked = true;
            window.block(true);
            LOG.warn("RabbitMQ blocks publishers, waiting: reason={}", reason);
        }

        @Override
        public void handleUnblocked() {
            unblockedNanos = time.nanos(); // first: from then on messages have the time of confirms
            blocked = false;
            window.block(false);
            LOG.info("RabbitMQ accepts messages again");
        }
    }

    /** To be called periodically: ends the attempt if the broker does not answer in time, or the ownership is lost. */
    void checkAnswers() {
        if (lookup.keepsConnections()) {
            background.execute(lookup::closeIdle);
        }
        if (!channels.isEmpty() && !blocked && !attempt.hasEnded() && fence.isToBeKept()) {
            background.execute(fence::keep);
        }
        if (channels.isEmpty() || window.inFlight() == 0) {
            return;
        }
        if (!ownership.isHeld()) {
            attempt.end(NotSentException.notOwned());
            return;
        }
        long now = time.nanos();
        long age = 0;
        for (ConfirmChannel channel : channels) {
            age = Math.max(age, now - channel.oldestNanos(now));
        }
        boolean isBlocked = blocked; // once, since it may change meanwhile
        Duration longest = isBlocked ? settings.blockTimeout() : settings.confirmTimeout();
        if (!isBlocked) {
            age = Math.min(age, now - unblockedNanos);
        }
        if (age > longest.toNanos()) {
            dialer.leaveNode();
            attempt.end(new SendException(
                    FailureKind.PASSING,
                    isBlocked
                            ? RabbitErrors.BLOCKED
                            : "RabbitMQ has not confirmed a message in time: limitMs=" + longest.toMillis()));
        }
    }

    @Override
    public void answered(boolean byTheBroker) {
        if (byTheBroker) {
            limit.answered();
            cutOff.confirmed();
            rights.confirmed();
        }
        window.leave();
    }

    @Override
    public void unroutable(Message message, DeliveryCallback callback, SendException why) {
        limit.returned(message);
        attempt.halt(why);
        unroutable.add(message, callback, why);
        background.execute(unroutable::judge);
        if (attempt.hasEnded()) { // and perhaps before it was added
            unroutable.fail(notConfirmed(attempt.failure()));
        }
    }

    /** Messages after it may be stored before it: the broker has read them already, and there is room for them then. */
    @Override
    public void lost(SendException why) {
        limit.rejected();
        Address node = dialer.node();
        if (node != null) {
            cutOff.failed(node);
        }
        attempt.end(why);
    }

    @Override
    public void prepareRestart() {
        limit.restart();
        unroutable.restart();
        String why = dialer.leaveIfAsked(); // nothing is in flight any more
        if (why != null) {
            attempt.end(new SendException(FailureKind.PASSING, "RabbitMQ is connected to again: " + why));
        }
    }

    @Override
    public void closed(ConfirmChannel channel, ShutdownSignalException why) {
        if (why.isInitiatedByApplication()) {
            return;
        }
        FailureKind kind = kindOfRejection(why);
        int inFlight = window.inFlight();
        if (kind != FailureKind.PASSING && inFlight == 1) {
            SendException rejection =
                    new SendException(kind, "RabbitMQ rejected a message: " + RabbitErrors.textOf(why), why);
            attempt.halt(rejection);
            channel.failOldest(rejection, kind); // before its answer lets another message in
        } else if (kind != FailureKind.PASSING) {
            limit.closedOverOneOf(inFlight);
        } else {
            dialer.leaveNodeAfter(RabbitErrors.textOf(why));
        }
        attempt.end(notConfirmed(why));
    }

    /** An exchange that one of several nodes does not have is no verdict: the next connection asks all of them. */
    private FailureKind kindOfRejection(ShutdownSignalException why) {
        return settings.addresses().size() > 1 && RabbitErrors.codeOf(why) == AMQP.NOT_FOUND
                ? FailureKind.PASSING
                : RabbitErrors.kindOfRejection(why);
    }

    @Override
    public void flush() throws InterruptedException {
        boolean unused = window.awaitEmpty(A_DAY); // all is answered before, by the broker or the watch
    }

    /** Also closes the connection in good order, if all is answered. */
    @Override
    public void settle(Duration limit) throws InterruptedException {
        Connection open = dialer.connection();
        if (window.awaitEmpty(limit) && open != null) {
            open.abort(AMQP.REPLY_SUCCESS, "closed", (int) Math.max(1, Math.min(limit.toMillis(), 5_000)));
        }
    }

    @Override
    public void cut(Exception cause) {
        window.close();
        dialer.cut();
        channels.forEach(channel -> channel.fail(cause, FailureKind.PASSING));
        unroutable.fail(cause);
        lookup.stop(); // what it is about to ask would hold up the questions of the next attempt
        background.execute(lookup::close);
    }
}
