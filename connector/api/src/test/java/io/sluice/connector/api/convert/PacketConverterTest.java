package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PacketConverterTest {
    private static final FixedRouter TARGET = new FixedRouter("shop", 3);

    private static final List<Entry> TRANSACTION = List.of(
            new TextEntry(0, EntryKind.BEGIN, "b"),
            new TextEntry(1, EntryKind.ROWS, "rows"),
            new TextEntry(2, EntryKind.END, "e"));

    @Test
    void rawEntriesKeepTheBatchIdAndTheTransactionBoundaries() {
        List<OutgoingMessage> records =
                Converters.OF_TEXTS.packets(TARGET, PacketStyle.RAW, 1000).convert(300, TRANSACTION);

        assertThat(hex(records)).containsExactly("1807 2a0f 08ac02 120162 1204726f7773 120165".replace(" ", ""));
        assertThat(records.get(0).message().topic()).isEqualTo(TARGET.topic());
    }

    @Test
    void parsedEntriesHaveAVersionAndNoBatchId() {
        assertThat(hex(Converters.OF_TEXTS
                        .packets(TARGET, PacketStyle.PARSED_WITHOUT_BOUNDARIES, 1000)
                        .convert(300, TRANSACTION)))
                .containsExactly("1001 1807 2a06 1204726f7773".replace(" ", ""));
        assertThat(hex(Converters.OF_TEXTS
                        .packets(TARGET, PacketStyle.PARSED, 1000)
                        .convert(300, TRANSACTION)))
                .containsExactly("1001 1807 2a0c 120162 1204726f7773 120165".replace(" ", ""));
    }

    @Test
    void anEmptyBatchMakesNoMessage() {
        assertThat(Converters.OF_TEXTS.packets(TARGET, PacketStyle.RAW, 1000).convert(1, List.of()))
                .isEmpty();
        assertThat(Converters.OF_TEXTS
                        .packets(TARGET, PacketStyle.PARSED_WITHOUT_BOUNDARIES, 1000)
                        .convert(1, List.of(new TextEntry(0, EntryKind.BEGIN, "b"))))
                .isEmpty();
    }

    @Test
    void anEntryThatIsTooLargeGoesAlone() throws InvalidProtocolBufferException {
        List<Entry> entries = List.of(text(5), text(5000), text(5), text(5));

        List<Messages> packets =
                parse(Converters.OF_TEXTS.packets(TARGET, PacketStyle.RAW, 100).convert(7, entries));

        assertThat(packets).extracting(Messages::getMessagesCount).containsExactly(1, 1, 2);
        assertThat(packets).extracting(Messages::getBatchId).containsOnly(7L);
    }

    /** Whatever the sizes, the packets hold the entries in order, none is too large, and none could hold one more. */
    @ParameterizedTest
    @MethodSource("seeds")
    void cutsABatchIntoPacketsThatFit(long seed) throws InvalidProtocolBufferException {
        Random random = new Random(seed);
        int max = 50 + random.nextInt(40_000);
        BatchConverter converter = random.nextBoolean()
                ? Converters.OF_TEXTS.packets(TARGET, PacketStyle.RAW, max)
                : Converters.OF_TEXTS.packets(TARGET, PacketStyle.PARSED, max);
        for (int batch = 0; batch < 20; batch++) {
            List<Entry> entries = new ArrayList<>();
            for (int i = random.nextInt(100); i >= 0; i--) {
                entries.add(text(
                        random.nextInt(List.of(200, 20, 20_000, 100_000).get(random.nextInt(4) * random.nextInt(2)))));
            }

            List<OutgoingMessage> records = converter.convert(batch + 1, entries);

            List<Messages> packets = parse(records);
            assertThat(packets.stream()
                            .flatMap(packet -> packet.getMessagesList().stream())
                            .map(ByteString::toStringUtf8))
                    .containsExactlyElementsOf(entries.stream()
                            .map(entry -> ((TextEntry) entry).text())
                            .toList());
            for (int i = 0; i < packets.size(); i++) {
                int size = records.get(i).message().value().length;
                assertThat(size <= max || packets.get(i).getMessagesCount() == 1)
                        .isTrue();
                if (i + 1 < packets.size()) {
                    int next = packets.get(i + 1).getMessages(0).size();
                    assertThat(size + next + 10).isGreaterThan(max);
                }
            }
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static TextEntry text(int length) {
        return new TextEntry(0, EntryKind.ROWS, "x".repeat(length));
    }

    private static List<String> hex(List<OutgoingMessage> records) {
        return records.stream()
                .map(next -> HexFormat.of().formatHex(next.message().value()))
                .toList();
    }

    private static List<Messages> parse(List<OutgoingMessage> records) throws InvalidProtocolBufferException {
        List<Messages> all = new ArrayList<>();
        for (OutgoingMessage next : records) {
            Packet packet = Packet.parseFrom(next.message().value());
            assertThat(packet.getType()).isEqualTo(PacketType.MESSAGES);
            all.add(Messages.parseFrom(packet.getBody()));
        }
        return all;
    }
}
