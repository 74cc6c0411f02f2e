package io.sluice.connector.rocketmq;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.producer.SendStatus;
import org.jspecify.annotations.Nullable;

/**
 * What the operator's properties make of a producer.
 *
 * @param nameServers host:port of each, separated by semicolons, or {@code http://host:port} of one
 * @param group the producer group
 * @param namespace put before each topic, as {@code namespace%topic}; empty for none, or for the one that the client takes from the name
 *     of a host like {@code MQ_INST_…}
 * @param trace whether the client reports what it sent, in a topic of its own
 * @param traceTopic that topic; empty for the broker's
 * @param vipChannel whether the broker's second port is used, two below its own
 * @param tag the tag of all messages; empty for none
 * @param cloud whether traces go to where Aliyun requires them
 * @param credentials null if the broker asks for none
 * @param sendTimeout how long a request may take
 * @param maxMessageBytes the largest body that is sent; the broker's {@code maxMessageSize}
 * @param batchBytes up to which size messages of a queue go in one request
 * @param bufferBytes how many bytes wait in memory before the sender waits
 * @param compressOverBytes bodies above this size are compressed, and go alone; 0 for none
 * @param accepted what the broker may answer besides SEND_OK for a message to count as delivered
 * @param corrections what has no effect, as sentences that begin with the key
 */
record RocketMqSettings(
        String nameServers,
        String group,
        String namespace,
        boolean trace,
        String traceTopic,
        boolean vipChannel,
        String tag,
        boolean cloud,
        @Nullable Credentials credentials,
        Duration sendTimeout,
        int maxMessageBytes,
        int batchBytes,
        int bufferBytes,
        int compressOverBytes,
        Set<SendStatus> accepted,
        List<String> corrections) {
    /** The credentials for the broker. */
    record Credentials(String accessKey, String secretKey) {
        /** Shows neither key. */
        @Override
        public String toString() {
            return "Credentials[]";
        }
    }
}
