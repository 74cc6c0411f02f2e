package io.sluice.connector.rabbitmq.send;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.attempt.Watch;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.connector.rabbitmq.node.CutOffNode;
import io.sluice.connector.rabbitmq.node.NodeOrder;
import io.sluice.connector.rabbitmq.node.RightsLookup;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.topology.OtherNodes;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ broker, of one node or several, with one exchange, to which the topic is the routing key.
 *
 * <p>A message is delivered when the broker has confirmed it. A new connection sends nothing before the broker has closed the one
 * before.
 */
public final class RabbitBroker implements Broker {
    private static final Duration CHECK_PERIOD = Duration.ofMillis(250);

    private final RabbitSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final NodeOrder nodes;
    private final OtherNodes others;
    private final Fence fence;
    private final InFlightLimit limit;
    private final CutOffNode cutOff;
    private final RightsLookup rights;
    private final Watch watch = new Watch("rabbitmq-watch");

    /** Asks for queues of messages that were returned: a question waits for a connection that is blocked, which the other thread ends. */
    private final Watch questions = new Watch("rabbitmq-queues");

    private volatile @Nullable RabbitConnection newest;

    /** Does not connect yet. */
    public RabbitBroker(RabbitSettings settings, ProducerContext context, Time time) {
        this.settings = settings;
        this.ownership = context.ownership();
        this.time = time;
        this.nodes = new NodeOrder(settings.addresses(), context.destination());
        this.others = new OtherNodes(settings, time);
        this.limit = new InFlightLimit(settings.mostInFlight());
        this.cutOff = new CutOffNode(settings, nodes, questions::execute, time);
        this.rights = new RightsLookup(time);
        this.fence = new Fence(settings.fenced(), settings.fenceName(context), settings.fenceLimit(), time);
        watch.every(CHECK_PERIOD, this::checkAnswers);
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        RabbitConnection made = new RabbitConnection(
                attempt, settings, ownership, nodes, others, fence, limit, cutOff, rights, questions::execute, time);
        newest = made;
        return made;
    }

    private void checkAnswers() {
        RabbitConnection checked = newest;
        if (checked != null) {
            checked.checkAnswers();
        }
    }

    @Override
    public SendFailure classify(Exception failure) {
        return failure instanceof NotAdmittedException
                ? new SendFailure(failure, FailureKind.BROKEN)
                : SendFailure.passing(failure);
    }

    @Override
    public int maxValueBytes() {
        return settings.maxMessageBytes();
    }

    @Override
    public void close(Duration limit) {
        watch.stop();
        cutOff.stop();
        questions.stop();
    }
}
