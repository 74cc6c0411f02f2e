package io.sluice.connector.kafka;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is found out about a real broker, which creates topics and has rights, without sending anything to it. */
@Timeout(600)
class KafkaProbeIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SECRET = "xyzzy-1973";

    private static KafkaServer kafka;

    @BeforeAll
    static void startBroker() throws Exception {
        kafka = KafkaServer.start(KafkaOptions.defaults()
                .listener("LOGIN", "SASL_PLAINTEXT")
                .with("listener.name.login.sasl.enabled.mechanisms", "PLAIN")
                .with(
                        "listener.name.login.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_shop=\"%s\";"
                                .formatted(SECRET))
                .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .with("super.users", "User:ANONYMOUS")
                .with("auto.create.topics.enable", "true")
                .with("num.partitions", "2"));
        kafka.createTopic("plain", 3);
        kafka.createTopic("small", 1, Map.of("max.message.bytes", "10000"));
        kafka.createTopic("compacted", 1, Map.of("cleanup.policy", "compact"));
        try (Admin admin = kafka.admin()) {
            List<AclBinding> rights =
                    List.of(allow("plain", AclOperation.DESCRIBE), allow("small", AclOperation.WRITE));
            admin.createAcls(rights).all().get();
            // The broker that is asked learns of them a moment later.
            await().until(() ->
                    admin.describeAcls(AclBindingFilter.ANY).values().get().containsAll(rights));
        }
    }

    private static AclBinding allow(String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:shop", "*", operation, AclPermissionType.ALLOW));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    @Test
    void aTopicThatFitsIsOk() throws InterruptedException {
        List<Finding> findings = probe(Map.of(), new TopicNeed("plain", 3, false));

        assertThat(findings).extracting(Finding::verdict).containsOnly(Verdict.OK);
        assertThat(only(findings, "topic plain").evidence())
                .isEqualTo("it has 3 partitions, of which 3 are needed, and the user may write to it");
    }

    @Test
    void aLimitBelowTheProducersIsAWarning() throws InterruptedException {
        Finding limits = only(probe(Map.of(), new TopicNeed("small", 1, false)), "topic small: limits");

        assertThat(limits.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(limits.evidence()).contains("max.message.bytes=10000 is less than kafka.max.request.size=1048576");
        Map<String, String> lower = Map.of("kafka.max.request.size", "10000");
        assertThat(only(probe(lower, new TopicNeed("small", 1, false)), "topic small: limits")
                        .verdict())
                .isEqualTo(Verdict.OK);
    }

    @Test
    void aCompactedTopicNeedsKeys() throws InterruptedException {
        String subject = "topic compacted: cleanup.policy";

        assertThat(only(probe(Map.of(), new TopicNeed("compacted", 1, false)), subject))
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                    assertThat(finding.remedy()).contains("canal.mq.messageKey");
                });
        assertThat(probe(Map.of(), new TopicNeed("compacted", 1, true)))
                .extracting(Finding::subject)
                .doesNotContain(subject);
    }

    @Test
    void aMissingTopicIsNotCreatedByTheProbe() throws Exception {
        Finding fits = only(probe(Map.of(), new TopicNeed("absent", 2, false)), "topic absent");
        Finding tooFew = only(probe(Map.of(), new TopicNeed("absent", 3, false)), "topic absent");

        assertThat(fits.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(fits.evidence()).contains("the brokers create it with the first message, with 2 partitions");
        assertThat(tooFew.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(tooFew.evidence()).contains("num.partitions=2, but messages go to 3");
        try (Admin admin = kafka.admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain("absent");
        }
    }

    @Test
    void aUserWithoutRightsIsReported() throws InterruptedException {
        List<Finding> findings = probe(
                login(SECRET),
                new TopicNeed("absent", 1, false),
                new TopicNeed("compacted", 1, true),
                new TopicNeed("plain", 3, false),
                new TopicNeed("small", 1, false));

        assertThat(only(findings, "connection").verdict()).isEqualTo(Verdict.OK);
        assertThat(only(findings, "topic plain").evidence()).isEqualTo("the user may not write to it");
        assertThat(only(findings, "topic plain").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(only(findings, "topic compacted").evidence()).contains("the user may not see it");
        assertThat(only(findings, "topic absent").verdict()).isEqualTo(Verdict.FAILED);
        assertThat(only(findings, "topic small").verdict()).isEqualTo(Verdict.OK);
        assertThat(only(findings, "topic small: limits").verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void aWrongPasswordIsReported() throws InterruptedException {
        List<Finding> findings = probe(login("plugh-1976"), new TopicNeed("plain", 1, false));

        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("authentication failed: check kafka.sasl.mechanism");
            assertThat(finding.toString()).doesNotContain("plugh-1976");
        });
    }

    @Test
    void anAddressWhoseNameCannotBeResolvedIsNamed() throws InterruptedException {
        List<Finding> findings = probe(Map.of("kafka.bootstrap.servers", "no-such-broker.invalid:9092"));

        assertThat(only(findings, "connection")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("no-such-broker.invalid:9092");
        });
    }

    /** It is in the configuration that canal ships. */
    @Test
    void anOptionThatIsNotUsedAsItIsWrittenIsAWarning() throws InterruptedException {
        Finding retries = only(probe(Map.of("kafka.retries", "0"), new TopicNeed("plain", 3, false)), "options");

        assertThat(retries.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(retries.evidence()).startsWith("kafka.retries: 0 is ignored");
    }

    private static Map<String, String> login(String password) {
        return Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrapServers("LOGIN"),
                "kafka.security.protocol",
                "SASL_PLAINTEXT",
                "kafka.sasl.mechanism",
                "PLAIN",
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"shop\" password=\"%s\";"
                        .formatted(password));
    }

    private static List<Finding> probe(Map<String, String> settings, TopicNeed... needs) throws InterruptedException {
        Map<String, String> properties = new HashMap<>(Map.of("kafka.bootstrap.servers", kafka.bootstrapServers()));
        properties.putAll(settings);
        Findings findings = new Findings();
        new KafkaConnector().configure(properties).probe("shop", List.of(needs), LIMIT, findings);
        return findings.list();
    }

    private static Finding only(List<Finding> findings, String subject) {
        List<Finding> found = findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .toList();
        assertThat(found).as("%s in %s", subject, findings).hasSize(1);
        return found.get(0);
    }
}
