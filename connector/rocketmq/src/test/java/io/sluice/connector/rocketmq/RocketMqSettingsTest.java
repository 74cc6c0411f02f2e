package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.producer.SendStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocketMqSettingsTest {
    private static final String FRAME_OPTION = "com.rocketmq.remoting.frameMaxLength";

    /** The lines of canal's own file. */
    private static final Map<String, String> CANALS = Map.of(
            "rocketmq.producer.group", "test",
            "rocketmq.enable.message.trace", "false",
            "rocketmq.customized.trace.topic", "",
            "rocketmq.namespace", "",
            "rocketmq.namesrv.addr", "127.0.0.1:9876",
            "rocketmq.retry.times.when.send.failed", "0",
            "rocketmq.vip.channel.enabled", "false",
            "rocketmq.tag", "");

    @Test
    void isFoundByTheServerMode() {
        assertThat(Connector.find("rocketMQ", getClass().getClassLoader())).containsInstanceOf(RocketMqConnector.class);
    }

    @Test
    void takesCanalsFile() {
        RocketMqSettings settings = settings();

        assertThat(settings.nameServers()).isEqualTo("127.0.0.1:9876");
        assertThat(settings.group()).isEqualTo("test");
        assertThat(settings.namespace()).isEmpty();
        assertThat(settings.tag()).isEmpty();
        assertThat(settings.trace()).isFalse();
        assertThat(settings.vipChannel()).isFalse();
        assertThat(settings.cloud()).isFalse();
        assertThat(settings.credentials()).isNull();
        assertThat(settings.sendTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.maxMessageBytes()).isEqualTo(4 * 1024 * 1024);
        assertThat(settings.accepted()).containsExactly(SendStatus.SEND_OK);
    }

    @Test
    void takesWhatIsSet() {
        RocketMqSettings settings = settings(
                "rocketmq.namespace", "shop",
                "rocketmq.tag", "binlog",
                "rocketmq.enable.message.trace", "true",
                "rocketmq.customized.trace.topic", "traces",
                "rocketmq.vip.channel.enabled", "true",
                "rocketmq.max.message.bytes", "2000000",
                "rocketmq.accept.status", "slave_not_available, FLUSH_SLAVE_TIMEOUT",
                "canal.aliyun.accessKey", "me",
                "canal.aliyun.secretKey", "hush",
                "canal.mq.accessChannel", "Cloud");

        assertThat(settings.namespace()).isEqualTo("shop");
        assertThat(settings.tag()).isEqualTo("binlog");
        assertThat(settings.trace()).isTrue();
        assertThat(settings.traceTopic()).isEqualTo("traces");
        assertThat(settings.vipChannel()).isTrue();
        assertThat(settings.maxMessageBytes()).isEqualTo(2_000_000);
        assertThat(settings.accepted())
                .containsExactlyInAnyOrder(
                        SendStatus.SEND_OK, SendStatus.SLAVE_NOT_AVAILABLE, SendStatus.FLUSH_SLAVE_TIMEOUT);
        assertThat(settings.credentials()).isEqualTo(new RocketMqSettings.Credentials("me", "hush"));
        assertThat(settings.cloud()).isTrue();
        assertThat(settings.toString()).doesNotContain("hush");
    }

    @Test
    void anEndpointOfAliyunIsTakenAsTheClientTakesIt() throws Exception {
        RocketMqSettings settings = settings("rocketmq.namesrv.addr", "http://MQ_INST_1_abc.mq.test.invalid:80");
        RocketMqSettings named = settings(
                "rocketmq.namesrv.addr", "http://MQ_INST_1_abc.mq.test.invalid:80", "rocketmq.namespace", "shop");

        try (RocketMqClient client = new RocketMqClient(
                        settings, new MissingTopics(Duration.ZERO, Time.SYSTEM), BrokerPartitions.INTERVAL);
                RocketMqClient other = new RocketMqClient(
                        named, new MissingTopics(Duration.ZERO, Time.SYSTEM), BrokerPartitions.INTERVAL)) {
            assertThat(client.nameServers()).isEqualTo("MQ_INST_1_abc.mq.test.invalid:80");
            assertThat(client.queries().nameOf("orders")).isEqualTo("MQ_INST_1_abc%orders");
            assertThat(other.queries().nameOf("orders")).isEqualTo("shop%orders");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a",
                "https://a:80",
                "http://a:80;b:80",
                "http://a:80;http://b:80",
                "http://a:80/",
                "a/b:80"
            })
    void otherUrlsAreNoNameServers(String text) {
        assertThat(problems(Map.of("rocketmq.namesrv.addr", text)))
                .extracting(ConfigProblem::key)
                .containsExactly("rocketmq.namesrv.addr");
    }

    @Test
    void manyNameServersAreAccepted() {
        String servers = "a:9876" + ";b:9876".repeat(10_000);

        assertThat(settings("rocketmq.namesrv.addr", servers).nameServers()).isEqualTo(servers);
    }

    @Test
    void keysWithoutEffectAreAccepted() {
        RocketMqSettings settings = settings(
                "rocketmq.batch.size", "50",
                "rocketmq.subscribe.filter", "*",
                "rocketmq.retry.times.when.send.failed", "2");

        assertThat(settings.corrections())
                .containsExactly(
                        "rocketmq.batch.size: ignored, it is for consumers",
                        "rocketmq.subscribe.filter: ignored, it is for consumers",
                        "rocketmq.retry.times.when.send.failed: ignored, since what fails is sent again anyway, and in order");
        assertThat(settings().corrections()).isEmpty();
    }

    @Test
    void keysAreDistinguishedFromOptionsOfTheJvm() {
        RocketMqConnector connector = new RocketMqConnector();

        assertThat(connector.knows("rocketmq.batch.size")).isTrue();
        assertThat(connector.knows("rocketmq.tag")).isTrue();
        assertThat(connector.knows("rocketmq.client.logUseSlf4j")).isFalse();
    }

    @Test
    void aSmallMessageLimitIsABatchsToo() {
        assertThat(settings("rocketmq.max.message.bytes", "5000").batchBytes()).isEqualTo(5000);
        assertThat(settings("rocketmq.batch.bytes", "0").batchBytes()).isZero();
    }

    /** A broker closes the connection over a larger request, and answers nothing. */
    @Test
    void aMessageLimitAboveTheFramesOfBrokersIsAProblem() {
        assertThat(settings("rocketmq.max.message.bytes", "16646144").maxMessageBytes())
                .isEqualTo(16_646_144);
        Map<String, String> properties = new HashMap<>(CANALS);
        properties.put("rocketmq.max.message.bytes", "16646145");

        assertThat(problems(properties))
                .containsExactly(
                        new ConfigProblem(
                                "rocketmq.max.message.bytes",
                                "16646145 is more than 16646144, what fits in a request: brokers take requests of"
                                        + " com.rocketmq.remoting.frameMaxLength=16777216 bytes, an option of their JVM and this one"));
    }

    /** The option is one of the JVM of Sluice, which has to be that of the brokers. */
    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void theDefaultMessageLimitFitsInTheFramesOfBrokers() {
        try {
            System.setProperty(FRAME_OPTION, "4194304");
            assertThat(settings().maxMessageBytes()).isEqualTo(4_194_304 - 131_072);
            assertThat(settings("rocketmq.max.message.bytes", "5000").maxMessageBytes())
                    .isEqualTo(5000);

            System.setProperty(FRAME_OPTION, "131072");
            assertThat(problems(CANALS))
                    .containsExactly(new ConfigProblem(
                            "rocketmq.max.message.bytes",
                            "no message fits in a request: com.rocketmq.remoting.frameMaxLength=131072, an option of the JVM,"
                                    + " must be at least 132096 bytes"));
        } finally {
            System.clearProperty(FRAME_OPTION);
        }
    }

    @Test
    void reportsAllProblemsAtOnce() {
        Map<String, String> properties = Map.ofEntries(
                Map.entry("rocketmq.namesrv.adr", "127.0.0.1:9876"),
                Map.entry("rocketmq.nothing.like.it", "1"),
                Map.entry("rocketmq.producer.group", "a group"),
                Map.entry("rocketmq.enable.message.trace", "yes"),
                Map.entry("rocketmq.retry.times.when.send.failed", "often"),
                Map.entry("rocketmq.send.timeout.ms", "5"),
                Map.entry("rocketmq.accept.status", "SEND_MAYBE"),
                Map.entry("rocketmq.tls.enable", "true"),
                Map.entry("canal.aliyun.accessKey", "me"),
                Map.entry("canal.mq.accessChannel", "moon"));

        assertThat(problems(properties))
                .containsExactlyInAnyOrder(
                        new ConfigProblem(
                                "rocketmq.namesrv.adr", "there is no such key; did you mean rocketmq.namesrv.addr?"),
                        new ConfigProblem("rocketmq.nothing.like.it", "there is no such key"),
                        new ConfigProblem("rocketmq.namesrv.addr", "missing: the name servers, as host:port;host:port"),
                        new ConfigProblem(
                                "rocketmq.producer.group",
                                "is \"a group\", must be up to 120 letters, digits and any of % | _ -,"
                                        + " and not DEFAULT_PRODUCER"),
                        new ConfigProblem("rocketmq.enable.message.trace", "yes must be true or false"),
                        new ConfigProblem(
                                "rocketmq.retry.times.when.send.failed",
                                "often must be a whole number from 0 to 2147483647"),
                        new ConfigProblem("rocketmq.send.timeout.ms", "5 must be a whole number from 100 to 600000"),
                        new ConfigProblem(
                                "rocketmq.accept.status",
                                "has \"SEND_MAYBE\", must be some of"
                                        + " [FLUSH_DISK_TIMEOUT, FLUSH_SLAVE_TIMEOUT, SLAVE_NOT_AVAILABLE]"),
                        new ConfigProblem("rocketmq.tls.enable", "is true, but TLS is not supported with RocketMQ yet"),
                        new ConfigProblem("canal.aliyun.secretKey", "missing, as canal.aliyun.accessKey is set"),
                        new ConfigProblem("canal.mq.accessChannel", "is \"moon\", must be cloud or local"));
    }

    private static RocketMqSettings settings(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>(CANALS);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return RocketMqSettingsReader.read(properties);
    }

    private static List<ConfigProblem> problems(Map<String, String> properties) {
        return catchThrowableOfType(ProducerConfigException.class, () -> RocketMqSettingsReader.read(properties))
                .problems();
    }
}
