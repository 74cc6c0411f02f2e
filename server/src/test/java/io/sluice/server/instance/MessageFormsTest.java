package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.Workspaces;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is converted for a topic that does not exist, where the broker is asked for its number of partitions; and what is in packets. */
class MessageFormsTest {
    @TempDir
    private Path home;

    private final MessageProducer producer = new WithoutTopics();

    /** A producer of a broker that has no topics. */
    private static final class WithoutTopics extends UnbufferedProducer {
        @Override
        public OptionalInt partitionsOf(String topic) {
            throw new PartitionsUnknownException(
                    topic, new IllegalStateException("no such topic"), FailureKind.TOPIC_UNAVAILABLE);
        }

        @Override
        public void send(Message message, DeliveryCallback callback) {
            throw new AssertionError("nothing is sent");
        }
    }

    private BatchConverter converter(String onTopicUnavailable) throws Exception {
        return converter("canal.mq.flatMessage = true", """
                canal.mq.partitionHash = .*\\\\..*
                canal.mq.partitionsNum = 5
                canal.mq.enableDynamicQueuePartition = true
                canal.mq.deadLetter.topic = dead
                canal.mq.onTopicUnavailable = %s
                """.formatted(onTopicUnavailable), Converters.OF_TEXTS.flat());
    }

    private BatchConverter converter(String ofServer, String ofInstance, Workspaces workspaces) throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.mq.topic = shop
                %s
                """.formatted(ofInstance));
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = rocketMQ
                rocketmq.namesrv.addr = 127.0.0.1:9876
                canal.destinations = shop
                %s
                """.formatted(ofServer));
        Configuration configuration = ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
        return MessageForms.converter(
                        configuration.instances().get(0),
                        configuration.server().mq(),
                        producer,
                        workspaces,
                        Runnable::run,
                        Time.SYSTEM)
                .forBatch();
    }

    @Test
    void whatIsRetriedIsNotConvertedBeforeItsTopicExists() throws Exception {
        BatchConverter converter = converter("retry");

        assertThatThrownBy(() -> converter.convert(1, TextEntry.range(0, 1)))
                .isInstanceOf(PartitionsUnknownException.class)
                .hasMessageContaining("no such topic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "skip", "deadLetter"})
    void whatIsNotRetriedIsConvertedToBeRejected(String onTopicUnavailable) throws Exception {
        BatchConverter converter = converter(onTopicUnavailable);

        assertThat(converter.convert(1, TextEntry.range(0, 1))).hasSize(1);

        assertThat(converter.unavailable()).containsOnlyKeys("shop");
    }

    /** The table of docs/formats.md. What the stream leaves out (the second case) does not come here. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                       |                                                  | 3",
                "                                       | canal.instance.filter.transaction.entry = true   | 3",
                "canal.instance.memory.rawEntry = false | canal.instance.filter.transaction.entry = false  | 3",
                "canal.instance.memory.rawEntry = false |                                                  | 1",
                "canal.instance.memory.rawEntry = false | canal.instance.filter.transaction.entry = true   | 1",
                "canal.mq.dynamicTopic = all:.*         | canal.instance.filter.transaction.entry = false  | 1"
            })
    void packetsHaveBeginAndEndOfTransactionsOrNot(@Nullable String ofInstance, @Nullable String ofServer, int entries)
            throws Exception {
        BatchConverter converter = converter(
                "canal.mq.flatMessage = false\n" + (ofServer == null ? "" : ofServer),
                ofInstance == null ? "" : ofInstance,
                Converters.OF_TEXTS.packets());

        List<OutgoingMessage> messages = converter.convert(
                1,
                List.of(
                        new TextEntry(0, EntryKind.BEGIN, "begin"),
                        new TextEntry(1, EntryKind.ROWS, "rows"),
                        new TextEntry(2, EntryKind.END, "end")));

        assertThat(messages).hasSize(1);
        Packet packet = Packet.parseFrom(messages.get(0).message().value());
        assertThat(Messages.parseFrom(packet.getBody()).getMessagesCount()).isEqualTo(entries);
    }
}
