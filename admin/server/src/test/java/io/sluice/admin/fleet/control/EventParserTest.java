package io.sluice.admin.fleet.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventParserTest {
    private final List<String> events = new ArrayList<>();
    private final EventParser parser = new EventParser(1000, (name, data) -> events.add(name + "=" + data));

    @Test
    void readsEvents() {
        read(": comment\nevent: instances\ndata: [1]\n\ndata:a\ndata: b\r\n\r\nevent: none\n\nretry: 5\rdata\r\r");

        assertThat(events).containsExactly("instances=[1]", "message=a\nb", "message=");
    }

    /** In whichever pieces the bytes come, the events are the same. */
    @ParameterizedTest
    @MethodSource("seeds")
    void piecesDoNotMatter(long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            String end = List.of("\n", "\r", "\r\n").get(random.nextInt(3));
            text.append(List.of("event: é" + i, "data: x😀" + i, "data:", "", ":", "id: 7")
                            .get(random.nextInt(6)))
                    .append(end);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        parser.read(Unpooled.wrappedBuffer(bytes));
        List<String> whole = List.copyOf(events);
        events.clear();
        EventParser other = new EventParser(1000, (name, data) -> events.add(name + "=" + data));
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(5));
            other.read(Unpooled.wrappedBuffer(bytes, at, length));
            at += length;
        }

        assertThat(events).as("seed %d", seed).isEqualTo(whole);
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyBytesAreRead(long seed) {
        byte[] bytes = new byte[900];
        new Random(seed).nextBytes(bytes);

        parser.read(Unpooled.wrappedBuffer(bytes));

        assertThat(events)
                .as("seed %d", seed)
                .allSatisfy(event -> assertThat(event).contains("="));
    }

    @Test
    void rejectsWhatIsTooLarge() {
        assertThatThrownBy(() -> read("data: " + "x".repeat(1000))).hasMessageContaining("larger than 1000 bytes");
        EventParser other = new EventParser(1000, (name, data) -> events.add(data));
        byte[] lines = ("data: " + "x".repeat(600) + "\n").repeat(2).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> other.read(Unpooled.wrappedBuffer(lines))).hasMessageContaining("larger");
    }

    private void read(String text) {
        parser.read(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8)));
    }
}
