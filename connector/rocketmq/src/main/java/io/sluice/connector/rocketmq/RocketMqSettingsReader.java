package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.OptionKeys;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.producer.SendStatus;
import org.jspecify.annotations.Nullable;

/** Reads the keys below {@code rocketmq.}, and those of Aliyun's login. */
final class RocketMqSettingsReader {
    private static final String NAME_SERVERS = "rocketmq.namesrv.addr";
    private static final String GROUP = "rocketmq.producer.group";
    private static final String NAMESPACE = "rocketmq.namespace";
    private static final String TRACE = "rocketmq.enable.message.trace";
    private static final String TRACE_TOPIC = "rocketmq.customized.trace.topic";
    private static final String RETRIES = "rocketmq.retry.times.when.send.failed";
    private static final String VIP_CHANNEL = "rocketmq.vip.channel.enabled";
    private static final String TAG = "rocketmq.tag";
    private static final String SEND_TIMEOUT = "rocketmq.send.timeout.ms";
    static final String MAX_MESSAGE = "rocketmq.max.message.bytes";
    private static final String BATCH = "rocketmq.batch.bytes";
    static final String BUFFER = "rocketmq.buffer.bytes";
    private static final String COMPRESS_OVER = "rocketmq.compress.over.bytes";
    private static final String ACCEPT = "rocketmq.accept.status";
    private static final String TLS = "rocketmq.tls.enable";
    static final String ACCESS_KEY = "canal.aliyun.accessKey";
    static final String SECRET_KEY = "canal.aliyun.secretKey";
    private static final String ACCESS_CHANNEL = "canal.mq.accessChannel";

    /** All keys. */
    static final OptionKeys KEYS = new OptionKeys(
            "rocketmq.",
            Set.of(
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
                    TLS,
                    ACCESS_KEY,
                    SECRET_KEY,
                    ACCESS_CHANNEL),
            Set.of("rocketmq.batch.size", "rocketmq.subscribe.filter"));

    private static final int MIB = 1024 * 1024;
    private static final int DEFAULT_MESSAGE_BYTES = 4 * MIB;
    private static final int LEAST_MESSAGE_BYTES = 1024;

    /** Brokers close the connection over a larger request, without an answer. The option is one of their JVMs. */
    private static final String FRAME_OPTION = "com.rocketmq.remoting.frameMaxLength";

    private static final int FRAME_BYTES = 16 * MIB;

    /** What a request may have besides its body: properties of up to 32 KiB, and more for their encoding as JSON. */
    private static final int REQUEST_OVERHEAD_BYTES = 128 * 1024;

    private static final String NO_GROUP = "DEFAULT_PRODUCER";

    /** What the client takes as a group. */
    private static final Pattern GROUP_NAME = Pattern.compile("[%|a-zA-Z0-9_-]{1,120}");

    /** Addresses, or one endpoint, as Aliyun gives it, of which the client takes what follows the last slash. */
    private static final Pattern ADDRESSES =
            Pattern.compile("[^;:/\\s]++:\\d{1,5}+(?:;[^;:/\\s]++:\\d{1,5}+)*+;?|http://[^;:/\\s]+:\\d{1,5}");

    private static final Set<SendStatus> ACCEPTABLE = EnumSet.complementOf(EnumSet.of(SendStatus.SEND_OK));

    private final ProducerOptions options;

    private RocketMqSettingsReader(ProducerOptions options) {
        this.options = options;
    }

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    static RocketMqSettings read(Map<String, String> properties) {
        return new RocketMqSettingsReader(new ProducerOptions(KEYS, properties)).read();
    }

    private RocketMqSettings read() {
        checkRetries();
        if (options.flag(TLS, false)) {
            options.problem(TLS, "is true, but TLS is not supported with RocketMQ yet");
        }
        int maxMessage = maxMessageBytes();
        RocketMqSettings settings = new RocketMqSettings(
                nameServers(),
                group(),
                options.text(NAMESPACE),
                options.flag(TRACE, false),
                options.text(TRACE_TOPIC),
                options.flag(VIP_CHANNEL, false),
                options.text(TAG),
                isCloud(),
                credentials(),
                options.millis(SEND_TIMEOUT, 3000, 100, 600_000),
                maxMessage,
                options.number(BATCH, Math.min(MIB, maxMessage), 0, maxMessage),
                options.number(BUFFER, 32 * MIB, 1024, Integer.MAX_VALUE),
                options.number(COMPRESS_OVER, 0, 0, Integer.MAX_VALUE),
                accepted(),
                options.corrections());
        options.requireValid();
        return settings;
    }

    private int maxMessageBytes() {
        int frame = Integer.getInteger(FRAME_OPTION, FRAME_BYTES);
        int most = frame - REQUEST_OVERHEAD_BYTES;
        if (most < LEAST_MESSAGE_BYTES) {
            options.problem(
                    MAX_MESSAGE,
                    "no message fits in a request: %s=%d, an option of the JVM, must be at least %d bytes"
                            .formatted(FRAME_OPTION, frame, LEAST_MESSAGE_BYTES + REQUEST_OVERHEAD_BYTES));
            return DEFAULT_MESSAGE_BYTES;
        }
        int bytes = options.number(MAX_MESSAGE, Math.min(DEFAULT_MESSAGE_BYTES, most), LEAST_MESSAGE_BYTES, 1024 * MIB);
        if (bytes > most) {
            options.problem(
                    MAX_MESSAGE,
                    "%d is more than %d, what fits in a request: brokers take requests of %s=%d bytes, an option of their JVM and this one"
                            .formatted(bytes, most, FRAME_OPTION, frame));
        }
        return bytes;
    }

    private String nameServers() {
        String text = options.text(NAME_SERVERS);
        if (text.isEmpty()) {
            options.problem(NAME_SERVERS, "missing: the name servers, as host:port;host:port");
        } else if (!ADDRESSES.matcher(text).matches()) {
            options.problem(
                    NAME_SERVERS,
                    "is \"%s\", must be like host:port;host:port, or one http://host:port".formatted(text));
        }
        return text;
    }

    private String group() {
        String text = options.text(GROUP);
        if (text.isEmpty()) {
            return "sluice";
        }
        if (!GROUP_NAME.matcher(text).matches() || text.equals(NO_GROUP)) {
            options.problem(
                    GROUP,
                    "is \"%s\", must be up to 120 letters, digits and any of %% | _ -, and not DEFAULT_PRODUCER"
                            .formatted(text));
        }
        return text;
    }

    /** The client's own repetitions could overtake each other. */
    private void checkRetries() {
        if (options.number(RETRIES, 0, 0, Integer.MAX_VALUE) > 0) {
            options.correction(RETRIES, "ignored, since what fails is sent again anyway, and in order");
        }
    }

    private boolean isCloud() {
        String text = options.text(ACCESS_CHANNEL).toLowerCase(Locale.ROOT);
        if (!text.isEmpty() && !text.equals("cloud") && !text.equals("local")) {
            options.problem(ACCESS_CHANNEL, "is \"%s\", must be cloud or local".formatted(text));
        }
        return text.equals("cloud");
    }

    private RocketMqSettings.@Nullable Credentials credentials() {
        String accessKey = options.text(ACCESS_KEY);
        String secretKey = options.text(SECRET_KEY);
        if (accessKey.isEmpty() && secretKey.isEmpty()) {
            return null;
        }
        if (accessKey.isEmpty()) {
            options.problem(ACCESS_KEY, "missing, as " + SECRET_KEY + " is set");
        }
        if (secretKey.isEmpty()) {
            options.problem(SECRET_KEY, "missing, as " + ACCESS_KEY + " is set");
        }
        return new RocketMqSettings.Credentials(accessKey, secretKey);
    }

    private Set<SendStatus> accepted() {
        Set<SendStatus> accepted = EnumSet.of(SendStatus.SEND_OK);
        for (String name : options.text(ACCEPT).split("[,\\s]+")) {
            if (name.isEmpty()) {
                continue;
            }
            ACCEPTABLE.stream()
                    .filter(status -> status.name().equalsIgnoreCase(name))
                    .findFirst()
                    .ifPresentOrElse(
                            accepted::add,
                            () -> options.problem(
                                    ACCEPT, "has \"%s\", must be some of %s".formatted(name, ACCEPTABLE)));
        }
        return accepted;
    }
}
