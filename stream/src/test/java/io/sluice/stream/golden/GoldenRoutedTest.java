package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases that were recorded over several topics and partitions: each has what the record has, in its order, by the byte. */
class GoldenRoutedTest {
    private static final int BATCH = 7;

    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(GoldenFileTest.MYSQL_SERVERS, List.of("10")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void flatMessagesAreWhereTheRecordHasThem(GoldenCase golden) throws Exception {
        Map<String, List<String>> recorded = new TreeMap<>();
        for (JsonNode line : golden.lines("flat.jsonl")) {
            at(recorded, line.get("topic").asText(), line.get("partition").asInt())
                    .add(GoldenCase.withoutRun(line.get("value")));
        }
        Router router = router(golden);
        BatchConverter converter = Converters.OF_BINLOG.flat(router, Time.SYSTEM);

        Map<String, List<String>> ours = new TreeMap<>();
        for (Message message : messages(converter, golden, false)) {
            at(ours, message.topic(), message.partition()).add(GoldenCase.withoutRun(message.value()));
        }

        assertThat(ours).isEqualTo(recorded);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rawEntriesAreWhereTheRecordHasThem(GoldenCase golden) throws Exception {
        Map<String, List<String>> recorded = new TreeMap<>();
        for (JsonNode line : golden.lines("raw.jsonl")) {
            at(recorded, line.get("topic").asText(), line.get("partition").asInt())
                    .addAll(entries(Base64.getDecoder().decode(line.get("value").asText())));
        }
        Router router = router(golden);
        PacketStyle style = router.isFixed() ? PacketStyle.RAW : PacketStyle.PARSED_WITHOUT_BOUNDARIES;
        BatchConverter converter = Converters.OF_BINLOG.packets(router, style, 1 << 20);

        Map<String, List<String>> ours = new TreeMap<>();
        for (Message message : messages(converter, golden, router.isFixed())) {
            Packet packet = Packet.parseFrom(message.value());
            assertThat(packet.getVersion()).isEqualTo(router.isFixed() ? 0 : 1);
            assertThat(Messages.parseFrom(packet.getBody()).getBatchId()).isEqualTo(router.isFixed() ? BATCH : 0);
            at(ours, message.topic(), message.partition()).addAll(entries(message.value()));
        }

        assertThat(ours).isEqualTo(recorded);
    }

    private static List<String> at(Map<String, List<String>> all, String topic, int partition) {
        return all.computeIfAbsent(topic + " " + partition, name -> new ArrayList<>());
    }

    private static List<String> entries(byte[] packet) throws Exception {
        return Messages.parseFrom(Packet.parseFrom(packet).getBody()).getMessagesList().stream()
                .map(entry -> HexFormat.of().formatHex(entry.toByteArray()))
                .toList();
    }

    private static List<Message> messages(BatchConverter converter, GoldenCase golden, boolean encodeAhead)
            throws Exception {
        List<Entry> entries = GoldenRun.entries(golden, encodeAhead);
        List<Message> messages = converter.convert(BATCH, entries).stream()
                .map(OutgoingMessage::message)
                .toList();
        assertThat(messages).allSatisfy(message -> {
            assertThat(message.key()).isNull();
            assertThat(message.headers()).isEmpty();
        });
        return messages;
    }

    private static Router router(GoldenCase golden) throws Exception {
        Properties settings = golden.settings();
        String count = settings.getProperty("canal.mq.partitionsNum");
        RoutingRules rules = RoutingRules.read(new RuleTexts(
                settings.getProperty("canal.mq.topic"),
                Integer.parseInt(settings.getProperty("canal.mq.partition", "0")),
                settings.getProperty("canal.mq.dynamicTopic", ""),
                settings.getProperty("canal.mq.partitionHash", ""),
                Boolean.parseBoolean(settings.getProperty("canal.mq.database.hash", "true")),
                count == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(count)),
                settings.getProperty("canal.mq.dynamicTopicPartitionNum", ""),
                false,
                ""));
        assertThat(rules.problems()).isEmpty();
        return rules.router(topic -> OptionalInt.empty());
    }
}
