package io.sluice.connector.kafka.produce;

import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a loop ends: the first cause counts. {@link #set}, {@link #isSet} and {@link #cause} may be called by any thread, the others are for the
 * loop's.
 */
final class StopCause {
    private static final Logger LOG = LoggerFactory.getLogger(StopCause.class);

    /** Made before it is needed, since there is no memory for it then. */
    private final KafkaException outOfMemory = new KafkaException("out of memory while sending to Kafka");

    private final Cluster cluster;
    private final ProduceListener listener;

    private volatile @Nullable Exception first;

    /**
     * Has no cause yet.
     *
     * @param cluster whose waits end by a cause
     * @param listener notified of the causes that the loop finds itself
     */
    StopCause(Cluster cluster, ProduceListener listener) {
        this.cluster = cluster;
        this.listener = listener;
    }

    boolean isSet() {
        return first != null;
    }

    /** Why messages that are not acknowledged fail at the end. */
    Exception cause() {
        Exception known = first;
        return known == null ? new KafkaException("the connection was closed") : known;
    }

    /** Has the loop end soon; waits for nothing. */
    void set(Exception cause) {
        if (first == null) {
            first = cause;
        }
        cluster.wakeAll();
    }

    /**
     * Reports a failure, after which the loop ends.
     *
     * @param topic that of the batch that has failed; null if it was none
     */
    void end(Exception cause, @Nullable String topic) {
        try {
            listener.ended(cause, topic);
        } finally {
            if (first == null) {
                set(cause);
            }
        }
    }

    /**
     * Ends the loop if the brokers reject the login, which Kafka's client would try again and again while nothing is to be sent: whatever has the accounts may
     * lock one. What is in flight is answered first: another broker may have stored it. Returns whether it has ended it.
     */
    boolean endIfLoginIsRejected(SubmittedBatches submitted) {
        Exception rejected = cluster.rejectedLogin();
        if (rejected == null || submitted.isAnyUnanswered()) {
            return false;
        }
        end(rejected, null);
        return true;
    }

    /** Ends the loop because of a defect, or because memory ran out. */
    void endUnexpectedly(Throwable e) {
        if (e instanceof OutOfMemoryError) {
            end(outOfMemory, null);
        } else {
            end(e instanceof Exception failure ? failure : new KafkaException(e), null);
        }
        LOG.error("sending to Kafka ended by a failure", e);
    }

    /** Ends the loop if its listener has a reason to. Returns whether there is none. */
    boolean mayContinue() {
        Exception reason = listener.reasonToEnd();
        if (reason == null) {
            return true;
        }
        end(reason, null);
        return false;
    }
}
