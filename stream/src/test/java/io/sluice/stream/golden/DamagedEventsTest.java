package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.failure.StreamException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events of real servers, without their checksums and with bytes changed, cut off or repeated. */
class DamagedEventsTest {
    private static final List<String> CASES = List.of(
            "01-decimals",
            "01-temporal",
            "01-bit-enum-set",
            "01-strings-blobs",
            "03-json-kinds",
            "04-rows-multi",
            "08-statement-format");
    private static final List<String> MARIADB_CASES = List.of("04-xa", "08-", "12-");

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 600);
    }

    /** Whatever the damage: either an entry that can be written, or the one documented exception. */
    @ParameterizedTest
    @MethodSource("seeds")
    void endInTheDocumentedExceptionOrAnEntry(long seed) throws Exception {
        Random random = new Random(seed);
        GoldenCase golden = anyCase(random);
        List<byte[]> events = undamaged(golden);
        List<byte[]> damaged = new ArrayList<>();
        int victims = 1 + random.nextInt(3);
        for (byte[] event : events) {
            damaged.add(random.nextInt(events.size()) < victims ? damage(event, random) : event);
        }

        List<Entry> written = new ArrayList<>();
        Throwable thrown = null;
        boolean encodeAhead = random.nextBoolean();
        try {
            for (Entry entry : GoldenRun.entries(golden, new ListedEvents(damaged), encodeAhead)) {
                Encodings.writeProtobuf(entry, new ByteWriter(64));
                if (!encodeAhead) {
                    Encodings.writeFlat(entry, new ByteWriter(64), 1, 1);
                }
                written.add(entry);
            }
        } catch (RuntimeException | MidTransactionException e) {
            thrown = e;
        }

        assertThat(thrown)
                .as("seed %d, after %d entries of %s", seed, written.size(), golden)
                .matches(e -> e == null
                        || e instanceof StreamException
                        || e instanceof MalformedEventException
                        || e instanceof MidTransactionException);
    }

    private static GoldenCase anyCase(Random random) throws Exception {
        boolean mariaDb = random.nextInt(3) == 0;
        List<GoldenCase> cases = mariaDb
                ? GoldenCase.all(GoldenFileTest.MARIADB_SERVERS, MARIADB_CASES)
                : GoldenCase.all(List.of("mysql-8.0.31"), CASES);
        return cases.get(random.nextInt(cases.size()));
    }

    /** All events of a case; its format description says that there are no checksums. */
    private static List<byte[]> undamaged(GoldenCase golden) throws Exception {
        List<byte[]> events = new ArrayList<>();
        try (BinlogFile file = BinlogFile.open(golden.binlog(golden.start().file()))) {
            ByteWriter out = new ByteWriter(1 << 12);
            while (file.next(out) >= 0) {
                boolean isFormat = out.array()[4] == EventCode.FORMAT_DESCRIPTION;
                byte[] event = Arrays.copyOf(out.array(), isFormat ? out.size() : out.size() - 4);
                ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(9, event.length);
                if (isFormat) {
                    event[event.length - 5] = 0; // the checksum's algorithm
                }
                events.add(event);
                out.clear();
            }
        }
        return events;
    }

    private static byte[] damage(byte[] event, Random random) {
        byte[] damaged = event.clone();
        if (random.nextInt(4) == 0) {
            int length = EventHeader.LENGTH + random.nextInt(event.length - EventHeader.LENGTH + 1);
            damaged = Arrays.copyOf(event, length);
            ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(9, length);
        }
        int body = damaged.length - EventHeader.LENGTH;
        for (int i = random.nextInt(4); i > 0 && body > 0; i--) {
            damaged[EventHeader.LENGTH + random.nextInt(body)] = (byte) random.nextInt(256);
        }
        return damaged;
    }
}
