package io.sluice.connector.rabbitmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.rabbitmq.client.AMQP;
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
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
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
final class RabbitConnection implements BrokerConnection, ConfirmChannel.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitConnection.class);
    private static final String EPOCH_HEADER = "sluice-epoch";
    private static final String KEY_HEADER = "sluice-key";
    private static final int PERSISTENT = 2;
    private static final Duration A_DAY = Duration.ofDays(1);

    private final Attempt attempt;
    private final RabbitSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final NodeOrder nodes;
    private final OtherNodes others;
    private final Fence fence;
    private final InFlightLimit limit;
    private final Executor background;
    private final Window window;
    private final QueueLookup lookup;
    private final UnroutableMessages unroutable;
    private final Object connecting = new Object();
    private final Object cutting = new Object();

    @GuardedBy("cutting") private boolean isCut;

    @GuardedBy("cutting") private @Nullable Socket socket;

    /** Null until one is connected to. */
    private volatile @Nullable Address node;

    /** Why the next connection is to be to another node; null if it need not be. */
    private volatile @Nullable String whyLeft;

    /** The node that is connected to next then; null for any. */
    private volatile @Nullable Address leftFor;

    private volatile @Nullable Connection connection;
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
            Executor background,
            Time time) {
        this.attempt = attempt;
        this.settings = settings;
        this.ownership = ownership;
        this.nodes = nodes;
        this.others = others;
        this.fence = fence;
        this.limit = limit;
        this.background = background;
        this.time = time;
        this.unblockedNanos = time.nanos();
        this.window = new Window(limit::current);
        this.lookup = new QueueLookup(settings, new AskedConnection(), time);
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
            leaveNode();
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
        String text = cause == null ? "closed" : RabbitErrors.textOf(cause);
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
                requireNotEnded();
                leaveNode();
                throw new SendException(
                        FailureKind.PASSING,
                        blocked ? RabbitErrors.BLOCKED : "RabbitMQ confirms too slowly: inFlight=" + window.inFlight());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendException(FailureKind.PASSING, "interrupted while waiting to send", e);
        }
    }

    /** The window admits nothing more then, whatever the broker does. */
    private void requireNotEnded() {
        Exception before = attempt.failure();
        if (attempt.hasEnded() && before != null) {
            throw NotSentException.after(before);
        }
    }

    private void connect() throws SendException {
        synchronized (connecting) {
            if (!channels.isEmpty()) {
                return;
            }
            Address address = openConnection();
            Connection opened = Objects.requireNonNull(connection);
            try {
                passFence(opened);
                prepare(opened, address);
                LOG.info("connected to RabbitMQ: address={}", address.hostAndPort());
            } catch (IOException | RuntimeException e) {
                leaveNode();
                throw RabbitErrors.connecting(e, address);
            }
        }
    }

    /** An earlier connection that is waited for, as at a frozen node, is none of this node's failures: it is connected to again. */
    private void passFence(Connection opened) throws IOException, SendException {
        opened.addBlockedListener(this::blocked, this::unblocked);
        fence.pass(opened, settings.connectTimeout());
    }

    /** Connects to the current node, or to the first one after it that lets us in. */
    private Address openConnection() throws SendException {
        List<SendException> failures = new ArrayList<>();
        while (true) {
            Address address = nodes.current();
            try {
                connection = settings.factory(address, this::take).newConnection("sluice");
                node = address;
                failures.forEach(failure -> LOG.warn(
                        "a node of RabbitMQ cannot be connected to, using another one: used={} cause={}",
                        address.hostAndPort(),
                        failure.getMessage()));
                return address;
            } catch (SendException e) { // of the key stores, which are the same for all nodes
                throw e;
            } catch (IOException | TimeoutException | RuntimeException e) {
                failures.add(RabbitErrors.connecting(e, address));
                leave(address);
                if (failures.size() == nodes.count() || !isWanted()) {
                    throw RabbitErrors.ofAllNodes(failures);
                }
            }
        }
    }

    /** Connecting may take long, and more than once. */
    private boolean isWanted() {
        return ownership.isHeld()
                && !attempt.hasEnded()
                && !Thread.currentThread().isInterrupted();
    }

    private void leaveNode() {
        Address left = node;
        if (left != null) {
            leave(left);
        }
    }

    private void leaveNodeFor(@Nullable Address next) {
        Address left = node;
        if (left == null || next == null) {
            leaveNode();
        } else if (!attempt.hasEnded()) {
            nodes.leave(left, next);
        }
    }

    /**
     * The next connection is to another node. Not if the attempt has ended before: what fails then fails because the socket was closed, and a message that
     * was rejected, for example, is no sign of a node that is broken.
     */
    private void leave(Address left) {
        if (!attempt.hasEnded()) {
            nodes.leave(left);
        }
    }

    /** Declares, and opens the channels. */
    private void prepare(Connection opened, Address address) throws IOException, SendException {
        frameMax = opened.getFrameMax();
        try {
            settings.topology().declare(opened, elsewhere(opened, address));
            others.forget();
            List<ConfirmChannel> made = new ArrayList<>();
            for (int i = 0; i < messageChannels(opened); i++) {
                made.add(ConfirmChannel.open(
                        channel(opened), settings.topology().exchange(), settings.mandatory(), this, time));
            }
            channels = List.copyOf(made);
        } catch (SendException e) {
            if (e.kind() == FailureKind.PASSING) { // such as that of a queue that another node may reach
                leave(address);
            }
            throw e;
        }
    }

    /** Leaves one of those that the broker allows to {@link QueueLookup}, which may ask over this connection with another exchange than the broker's own, with several nodes, and by TLS. */
    private int messageChannels(Connection opened) {
        int wanted = settings.channels();
        boolean isAsked = settings.mandatory()
                && (!settings.topology().exchange().isEmpty()
                        || settings.addresses().size() > 1
                        || settings.addresses().stream().anyMatch(Address::tls));
        return isAsked && wanted > 1 && wanted == opened.getChannelMax() ? wanted - 1 : wanted;
    }

    /** Null with one address. */
    private Topology.@Nullable Elsewhere elsewhere(Connection opened, Address here) {
        return others.areAny() ? needs -> doubt(opened, here, needs) : null;
    }

    private OtherNodes.@Nullable Doubt doubt(Connection opened, Address here, List<Topology.Need> needs) {
        OtherNodes.Doubt doubt = others.about(opened, here, needs, this::isWanted);
        if (doubt != null) {
            leaveNodeFor(doubt.at());
        }
        return doubt;
    }

    private Channel channel(Connection opened) throws IOException, SendException {
        Channel made = opened.createChannel();
        if (made == null) {
            throw new SendException(
                    FailureKind.BROKEN,
                    "rabbitmq.channels: RabbitMQ allows %d channels for each connection, not %d"
                            .formatted(opened.getChannelMax(), settings.channels()));
        }
        return made;
    }

    /** Keeps the socket of a connection that is being made, so that it can be closed during a write. */
    private void take(Socket made) throws IOException {
        synchronized (cutting) {
            if (isCut) {
                throw new IOException("closed while connecting");
            }
            socket = made;
        }
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

    private void blocked(String reason) {
        blocked = true;
        window.block(true);
        LOG.warn("RabbitMQ blocks publishers, waiting: reason={}", reason);
    }

    private void unblocked() {
        unblockedNanos = time.nanos(); // first: from then on messages have the time of confirms
        blocked = false;
        window.block(false);
        LOG.info("RabbitMQ accepts messages again");
    }

    /** To be called periodically: ends the attempt if the broker does not answer in time, or the ownership is lost. */
    void checkAnswers() {
        if (lookup.keepsConnections()) {
            background.execute(lookup::closeIdle);
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
            leaveNode();
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
        }
        window.leave();
    }

    @Override
    public void unroutable(Message message, DeliveryCallback callback, SendException why) {
        limit.returned(message);
        attempt.halt(why);
        unroutable.add(message.topic(), callback, why);
        background.execute(unroutable::judge);
        if (attempt.hasEnded()) { // and perhaps before it was added
            unroutable.fail(notConfirmed(attempt.failure()));
        }
    }

    /** What {@link QueueLookup} asks. */
    private final class AskedConnection implements QueueLookup.Asked {
        @Override
        public @Nullable Connection connection() {
            return connection;
        }

        @Override
        public @Nullable Address node() {
            return node;
        }

        @Override
        public void leaveNode(String why, @Nullable Address next) {
            if (next != null || whyLeft == null) { // a node of which something is known comes first
                leftFor = next;
                whyLeft = why;
            }
        }
    }

    /** Messages after it may be stored before it: the broker has read them already, and there is room for them then. */
    @Override
    public void lost(SendException why) {
        limit.rejected();
        attempt.end(why);
    }

    @Override
    public void prepareRestart() {
        limit.restart();
        unroutable.restart();
        String why = whyLeft;
        if (why != null) { // nothing is in flight any more
            leaveNodeFor(leftFor);
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
            leaveNode();
        }
        attempt.end(notConfirmed(why));
    }

    /** An exchange that one of several nodes does not have is no verdict: the next connection asks all of them. */
    private FailureKind kindOfRejection(ShutdownSignalException why) {
        return nodes.count() > 1 && RabbitErrors.codeOf(why) == AMQP.NOT_FOUND
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
        Connection open = connection;
        if (window.awaitEmpty(limit) && open != null) {
            open.abort(AMQP.REPLY_SUCCESS, "closed", (int) Math.max(1, Math.min(limit.toMillis(), 5_000)));
        }
    }

    @Override
    public void cut(Exception cause) {
        Socket open;
        synchronized (cutting) {
            isCut = true;
            open = socket;
        }
        window.close();
        if (open != null) {
            NodeConnections.reset(open);
        }
        channels.forEach(channel -> channel.fail(cause, FailureKind.PASSING));
        unroutable.fail(cause);
        others.stop();
        lookup.stop(); // what it is about to ask would hold up the questions of the next attempt
        background.execute(lookup::close);
    }
}
