package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Spelling;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.producer.SendStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads properties, and notes all that is wrong with them. Blank ones are as if they were not there. */
final class SettingsReader {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsReader.class);
    private static final String PREFIX = "rocketmq.";
    private static final int MIB = 1024 * 1024;

    /** What the client takes as a group. */
    private static final Pattern GROUP = Pattern.compile("[%|a-zA-Z0-9_-]{1,120}");

    /** Addresses, or one endpoint, as Aliyun gives it, of which the client takes what follows the last slash. */
    private static final Pattern NAME_SERVERS =
            Pattern.compile("[^;:/\\s]+:\\d{1,5}(;[^;:/\\s]+:\\d{1,5})*;?|http://[^;:/\\s]+:\\d{1,5}");

    /** What canal's consumers read, from a file that may be the server's. */
    private static final Set<String> OF_CONSUMERS = Set.of("rocketmq.batch.size", "rocketmq.subscribe.filter");

    private static final Set<SendStatus> ACCEPTABLE = EnumSet.complementOf(EnumSet.of(SendStatus.SEND_OK));

    private final Map<String, String> properties;
    private final List<ConfigProblem> problems;

    SettingsReader(Map<String, String> properties, List<ConfigProblem> problems) {
        this.properties = properties;
        this.problems = problems;
    }

    /** Whether a key of our prefix means something. */
    static boolean knows(String key) {
        return RocketMqSettings.KEYS.contains(key) || OF_CONSUMERS.contains(key);
    }

    RocketMqSettings read() {
        properties.keySet().stream()
                .filter(key -> key.startsWith(PREFIX) && !RocketMqSettings.KEYS.contains(key))
                .sorted()
                .forEach(this::refuseUnknown);
        checkRetries();
        if (flag(RocketMqSettings.TLS)) {
            problem(RocketMqSettings.TLS, "is true, but TLS is not supported with RocketMQ yet");
        }
        int maxMessage = number(RocketMqSettings.MAX_MESSAGE, 4 * MIB, 1024, 1024 * MIB);
        return new RocketMqSettings(
                nameServers(),
                group(),
                text(RocketMqSettings.NAMESPACE),
                flag(RocketMqSettings.TRACE),
                text(RocketMqSettings.TRACE_TOPIC),
                flag(RocketMqSettings.VIP_CHANNEL),
                text(RocketMqSettings.TAG),
                isCloud(),
                credentials(),
                Duration.ofMillis(number(RocketMqSettings.SEND_TIMEOUT, 3000, 100, 600_000)),
                maxMessage,
                number(RocketMqSettings.BATCH, Math.min(MIB, maxMessage), 0, maxMessage),
                number(RocketMqSettings.BUFFER, 32 * MIB, 1024, Integer.MAX_VALUE),
                number(RocketMqSettings.COMPRESS_OVER, 0, 0, Integer.MAX_VALUE),
                accepted());
    }

    private void refuseUnknown(String key) {
        if (OF_CONSUMERS.contains(key)) {
            LOG.info("a key has no effect, since it is for consumers: key={}", key);
            return;
        }
        String hint = Spelling.nearest(key, new TreeSet<>(RocketMqSettings.KEYS))
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse("");
        problem(key, "there is no such key" + hint);
    }

    private String nameServers() {
        String text = text(RocketMqSettings.NAME_SERVERS);
        if (text.isEmpty()) {
            problem(RocketMqSettings.NAME_SERVERS, "missing: the name servers, as host:port;host:port");
        } else if (!NAME_SERVERS.matcher(text).matches()) {
            problem(
                    RocketMqSettings.NAME_SERVERS,
                    "is \"%s\", must be like host:port;host:port, or one http://host:port".formatted(text));
        }
        return text;
    }

    private String group() {
        String text = text(RocketMqSettings.GROUP);
        if (text.isEmpty()) {
            return "sluice";
        }
        if (!GROUP.matcher(text).matches() || text.equals("DEFAULT_PRODUCER")) {
            problem(
                    RocketMqSettings.GROUP,
                    "is \"%s\", must be up to 120 letters, digits and any of %% | _ -, and not DEFAULT_PRODUCER"
                            .formatted(text));
        }
        return text;
    }

    /** The client's own repetitions could overtake each other. */
    private void checkRetries() {
        int retries = number(RocketMqSettings.RETRIES, 0, 0, Integer.MAX_VALUE);
        if (retries > 0) {
            LOG.info(
                    "a key has no effect, since what fails is sent again anyway, and in order: key={}",
                    RocketMqSettings.RETRIES);
        }
    }

    private boolean isCloud() {
        String text = text(RocketMqSettings.ACCESS_CHANNEL).toLowerCase(Locale.ROOT);
        if (!text.isEmpty() && !text.equals("cloud") && !text.equals("local")) {
            problem(RocketMqSettings.ACCESS_CHANNEL, "is \"%s\", must be cloud or local".formatted(text));
        }
        return text.equals("cloud");
    }

    private RocketMqSettings.@Nullable Credentials credentials() {
        String accessKey = text(RocketMqSettings.ACCESS_KEY);
        String secretKey = text(RocketMqSettings.SECRET_KEY);
        if (accessKey.isEmpty() && secretKey.isEmpty()) {
            return null;
        }
        if (accessKey.isEmpty()) {
            problem(RocketMqSettings.ACCESS_KEY, "missing, as " + RocketMqSettings.SECRET_KEY + " is set");
        }
        if (secretKey.isEmpty()) {
            problem(RocketMqSettings.SECRET_KEY, "missing, as " + RocketMqSettings.ACCESS_KEY + " is set");
        }
        return new RocketMqSettings.Credentials(accessKey, secretKey);
    }

    private Set<SendStatus> accepted() {
        Set<SendStatus> accepted = EnumSet.of(SendStatus.SEND_OK);
        for (String name : text(RocketMqSettings.ACCEPT).split("[,\\s]+")) {
            if (name.isEmpty()) {
                continue;
            }
            ACCEPTABLE.stream()
                    .filter(status -> status.name().equalsIgnoreCase(name))
                    .findFirst()
                    .ifPresentOrElse(
                            accepted::add,
                            () -> problem(
                                    RocketMqSettings.ACCEPT,
                                    "has \"%s\", must be some of %s".formatted(name, ACCEPTABLE)));
        }
        return accepted;
    }

    private String text(String key) {
        return properties.getOrDefault(key, "").trim();
    }

    private boolean flag(String key) {
        String text = text(key).toLowerCase(Locale.ROOT);
        if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
            problem(key, "is \"%s\", must be true or false".formatted(text));
        }
        return text.equals("true");
    }

    private int number(String key, int otherwise, int least, int most) {
        String text = text(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same problem
        }
        problem(key, "is \"%s\", must be a whole number from %d to %d".formatted(text, least, most));
        return otherwise;
    }

    private void problem(String key, String what) {
        problems.add(new ConfigProblem(key, what));
    }
}
