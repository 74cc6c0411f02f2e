package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.ConfigProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * @param trace whether the client tells the broker what it sent, in a topic of its own
 * @param traceTopic that topic; empty for the broker's
 * @param vipChannel whether the broker's second port is used, two below its own
 * @param tag the tag of all messages; empty for none
 * @param cloud whether traces go to where Aliyun wants them
 * @param credentials null if the broker asks for none
 * @param sendTimeout how long a request may take
 * @param maxMessageBytes the largest body that is sent; the broker's {@code maxMessageSize}
 * @param batchBytes up to which size messages of a queue go in one request
 * @param bufferBytes how many bytes wait in memory before the sender waits
 * @param compressOverBytes bodies above this size are compressed, and go alone; 0 for none
 * @param accepted what the broker may answer besides SEND_OK for a message to count as delivered
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
        Set<SendStatus> accepted) {
    static final String NAME_SERVERS = "rocketmq.namesrv.addr";
    static final String GROUP = "rocketmq.producer.group";
    static final String NAMESPACE = "rocketmq.namespace";
    static final String TRACE = "rocketmq.enable.message.trace";
    static final String TRACE_TOPIC = "rocketmq.customized.trace.topic";
    static final String RETRIES = "rocketmq.retry.times.when.send.failed";
    static final String VIP_CHANNEL = "rocketmq.vip.channel.enabled";
    static final String TAG = "rocketmq.tag";
    static final String SEND_TIMEOUT = "rocketmq.send.timeout.ms";
    static final String MAX_MESSAGE = "rocketmq.max.message.bytes";
    static final String BATCH = "rocketmq.batch.bytes";
    static final String BUFFER = "rocketmq.buffer.bytes";
    static final String COMPRESS_OVER = "rocketmq.compress.over.bytes";
    static final String ACCEPT = "rocketmq.accept.status";
    static final String TLS = "rocketmq.tls.enable";
    static final String ACCESS_KEY = "canal.aliyun.accessKey";
    static final String SECRET_KEY = "canal.aliyun.secretKey";
    static final String ACCESS_CHANNEL = "canal.mq.accessChannel";

    /** Every key that begins with {@code rocketmq.} and means something. */
    static final Set<String> KEYS = Set.of(
            NAME_SERVERS,
            GROUP,
            NAMESPACE,
            TRACE,
            TRACE_TOPIC,
            RETRIES,
            VIP_CHANNEL,
            TAG,
            SEND_TIMEOUT,
            MAX_MESSAGE,
            BATCH,
            BUFFER,
            COMPRESS_OVER,
            ACCEPT,
            TLS);

    /** Whom the broker takes us for. */
    record Credentials(String accessKey, String secretKey) {
        /** Neither of them. */
        @Override
        public String toString() {
            return "Credentials[]";
        }
    }

    /** Settings, or what is wrong with them. */
    record Outcome(@Nullable RocketMqSettings settings, List<ConfigProblem> problems) {}

    /** Reads a server's properties. */
    static Outcome of(Map<String, String> properties) {
        List<ConfigProblem> problems = new ArrayList<>();
        RocketMqSettings settings = new SettingsReader(properties, problems).read();
        return problems.isEmpty() ? new Outcome(settings, problems) : new Outcome(null, problems);
    }
}
