package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.testkit.log.LogLines;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.PulsarClientException.FailedFeatureCheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulsarTopicsTest {
    private final List<String> asked = new ArrayList<>();
    private List<String> partitions = List.of("t-partition-0", "t-partition-1");
    private boolean isOld;
    private boolean isMissing;
    private @Nullable Exception failure;

    private final PulsarTopics topics = topics(Map.of("pulsarmq.serverUrl", "pulsar://127.0.0.1:6650"));

    private PulsarTopics topics(Map<String, String> properties) {
        return new PulsarTopics(
                (PulsarClient) Proxy.newProxyInstance(
                        PulsarClient.class.getClassLoader(),
                        new Class<?>[] {PulsarClient.class},
                        (self, method, arguments) -> partitions((boolean) arguments[1])),
                PulsarSettingsReader.read(properties));
    }

    private CompletableFuture<List<String>> partitions(boolean mayCreate) {
        asked.add(mayCreate ? "may create" : "creates nothing");
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        if (isMissing && !mayCreate) {
            return CompletableFuture.failedFuture(new PulsarClientException.NotFoundException("no such topic"));
        }
        isMissing = false;
        return isOld && !mayCreate
                ? CompletableFuture.failedFuture(new PulsarClientException.FeatureNotSupportedException(
                        "old", FailedFeatureCheck.SupportsGetPartitionedMetadataWithoutAutoCreation))
                : CompletableFuture.completedFuture(partitions);
    }

    @Test
    void aTopicThatGetsMorePartitionsIsSeen() throws Exception {
        assertThat(topics.partition("t", 2)).isEqualTo("t-partition-0");
        partitions = List.of("t-partition-0", "t-partition-1", "t-partition-2");

        topics.refresh();

        assertThat(topics.partition("t", 2)).isEqualTo("t-partition-2");
        assertThat(asked).containsExactly("may create", "creates nothing");
    }

    /** Such a broker cannot be asked without permission to create the topic, which exists. */
    @Test
    void aTopicThatGetsMorePartitionsIsSeenAtAnOldBroker() throws Exception {
        isOld = true;
        topics.partition("t", 2);
        partitions = List.of("t-partition-0", "t-partition-1", "t-partition-2");

        topics.refresh();

        assertThat(topics.partition("t", 2)).isEqualTo("t-partition-2");
        topics.refresh();
        assertThat(asked).containsExactly("may create", "creates nothing", "may create", "may create");
    }

    @Test
    void theNumberOfPartitionsIsUnknownWhileItCannotBeAskedFor() {
        failure = new PulsarClientException.NotFoundException("no such topic");
        assertThat(kindOfUnknown()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);

        failure = new PulsarClientException.TimeoutException("no answer");
        assertThat(kindOfUnknown()).isEqualTo(FailureKind.PASSING);

        failure = new PulsarClientException.AuthenticationException("no token");
        assertThat(kindOfUnknown()).isEqualTo(FailureKind.BROKEN);
    }

    private FailureKind kindOfUnknown() {
        return catchThrowableOfType(PartitionsUnknownException.class, () -> topics.count("t"))
                .kind();
    }

    /** Rows that are spread over another number before that would be in other partitions than later changes of the same rows. */
    @Test
    void aTopicIsMadeWhenItsPartitionsAreAskedFor() {
        isMissing = true;

        assertThat(topics.count("t")).isEqualTo(2);
        assertThat(topics.count("t")).isEqualTo(2);

        assertThat(asked).containsExactly("creates nothing", "may create", "creates nothing");
    }

    /** As after a day without messages: the topic is not created while it is there, and with its partitions if the broker has deleted it. */
    @Test
    void aTopicThatWasForgottenIsCreatedOnlyIfItIsGone() throws Exception {
        topics.partition("t", 0);
        topics.forget("t");
        topics.partition("t", 0);
        assertThat(asked).containsExactly("may create", "creates nothing");

        topics.forget("t");
        isMissing = true;
        topics.partition("t", 0);
        assertThat(asked).containsExactly("may create", "creates nothing", "creates nothing", "may create");
    }

    @Test
    void aTopicThatTheAdminServerCannotBeAskedForIsUsedNevertheless() throws Exception {
        PulsarTopics announced = topics(Map.of(
                "pulsarmq.serverUrl", "pulsar://127.0.0.1:6650", "pulsarmq.adminServerUrl", "http://127.0.0.1:1"));
        announced.announce("t", 2);

        assertThat(announced.partition("t", 1)).isEqualTo("t-partition-1");
    }

    /** Else the broker would create it, with its default number of partitions. */
    @Test
    void aTopicWaitsWhileTheTokenThatCreatesItCannotBeRead(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "token");
        PulsarTopics announced = topics(Map.of(
                "pulsarmq.serverUrl", "pulsar://127.0.0.1:6650",
                "pulsarmq.adminServerUrl", "http://127.0.0.1:1",
                "pulsarmq.roleToken", "file:" + token));
        announced.announce("t", 2);
        Files.delete(token);
        isMissing = true;

        PulsarClientException unread =
                catchThrowableOfType(PulsarClientException.class, () -> announced.partition("t", 1));
        assertThat(unread).hasMessageContaining("pulsarmq.roleToken names a file that cannot be read");
        assertThat(PulsarErrors.kindOf(unread, ProducerAccessMode.Shared)).isEqualTo(FailureKind.PASSING);
        PartitionsUnknownException unknown =
                catchThrowableOfType(PartitionsUnknownException.class, () -> announced.count("t"));
        assertThat(unknown.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(asked).containsExactly("creates nothing");

        Files.writeString(token, "token");
        assertThat(announced.partition("t", 1)).isEqualTo("t-partition-1");
    }

    /** As of a file with two tokens, or one that is wrapped. */
    @Test
    void aTokenThatNoHeaderCanHaveIsNotLogged(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "a\nSECRET\n");
        PulsarTopics announced = topics(Map.of(
                "pulsarmq.serverUrl", "pulsar://127.0.0.1:6650",
                "pulsarmq.adminServerUrl", "http://127.0.0.1:1",
                "pulsarmq.roleToken", "file:" + token));
        announced.announce("t", 2);
        try (LogLines log = LogLines.of(PulsarTopics.class)) {
            announced.partition("t", 1);

            assertThat(log.texts())
                    .singleElement()
                    .isEqualTo(
                            "cannot create a topic: topic=t cause=pulsarmq.roleToken has a control character, such as a"
                                    + " line break, and is not sent");
        }
    }

    @Test
    void thePartitionsOfATopicAreKnownAtAnOldBroker() {
        isOld = true;

        assertThat(topics.count("t")).isEqualTo(2);
    }
}
