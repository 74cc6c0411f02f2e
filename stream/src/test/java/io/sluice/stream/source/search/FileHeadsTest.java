package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the searches with ones that look at every file, from the newest to the oldest. */
class FileHeadsTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int ROUNDS = 1000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void findsWhatALookAtEveryFileFinds(boolean isMariaDb) throws IOException {
        Random random = new Random(isMariaDb ? 1 : 2);
        for (int round = 0; round < ROUNDS; round++) {
            Heads binlog = new Heads(isMariaDb, isMariaDb ? mariaDb(random, false) : mySql(random));
            GtidSet set = isMariaDb ? mariaDbSet(random) : mySqlSet(random);
            String what = "%s in %s".formatted(set, binlog.texts);

            assertThat(binlog.heads().newestWithin(set)).as(what).isEqualTo(binlog.lastWithin(set));
            if (!isMariaDb) {
                int end = random.nextInt(binlog.texts.size() + 1);
                assertThat(binlog.heads().newestWithout(set, end)).as(what).isEqualTo(binlog.lastWithout(set, end));
            }
        }
    }

    @Test
    void whereADomainIsUsedAgainAFileIsFoundIfThereIsOne() throws IOException {
        Random random = new Random(3);
        for (int round = 0; round < ROUNDS; round++) {
            Heads binlog = new Heads(true, mariaDb(random, true));
            GtidSet set = mariaDbSet(random);
            String what = "%s in %s".formatted(set, binlog.texts);

            int found = binlog.heads().newestWithin(set);

            int newest = binlog.lastWithin(set);
            assertThat(found).as(what).isBetween(Math.min(0, newest), newest);
            assertThat(found < 0 || set.containsAll(binlog.parse(binlog.texts.get(found))))
                    .as(what)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1234, 4999})
    void fewOfManyFilesAreAskedFor(int wanted) throws IOException {
        List<String> texts =
                IntStream.range(0, 5000).mapToObj(FileHeadsTest::upTo).toList();
        Heads binlog = new Heads(false, texts);

        assertThat(binlog.heads().newestWithin(GtidSet.parse(upTo(wanted)))).isEqualTo(wanted);
        assertThat(binlog.asked).isLessThan(40);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aHeadThatIsNotSentMattersOnlyWhereASearchEnds(int unsent) throws IOException {
        Heads binlog = new Heads(
                false, IntStream.range(0, 10).mapToObj(FileHeadsTest::upTo).toList());
        binlog.unsent = unsent;

        assertThat(binlog.heads().newestWithin(GtidSet.parse(upTo(4)))).isEqualTo(4);
        assertThatThrownBy(() -> binlog.heads().newestWithin(GtidSet.parse(upTo(unsent - 1))))
                .isInstanceOf(ServerErrorException.class);
    }

    /** Then the newest head states a domain that others between do not, with a smaller number than the oldest. */
    @ParameterizedTest
    @CsvSource({"'0-1-12,5-1-2', 12", "0-1-12, 12", "'0-1-30,5-1-200', 20", "'0-1-4,5-1-100', 4", "'0-1-4,5-1-2', -1"})
    void aDomainMayBeDeletedAndUsedAgain(String set, int wanted) throws IOException {
        List<String> texts = IntStream.rangeClosed(0, 20)
                .mapToObj(file -> "0-1-" + (file + 1) + (file < 10 ? ",5-1-100" : file < 19 ? "" : ",5-1-3"))
                .toList();

        Heads binlog = new Heads(true, texts);
        assertThat(binlog.heads().newestWithin(MariaDbGtidSet.parse(set)))
                .isEqualTo(wanted < 0 ? -1 : binlog.lastWithin(MariaDbGtidSet.parse(set)));
    }

    private static String upTo(int transactions) {
        return transactions == 0 ? "" : SERVER + ":1-" + transactions;
    }

    /** The oldest files may state nothing, as those of before GTIDs were switched on. */
    private static List<@Nullable String> mySql(Random random) {
        List<@Nullable String> texts = new ArrayList<>();
        int silent = random.nextInt(3);
        int transactions = random.nextInt(3);
        for (int i = random.nextInt(20); i >= 0; i--) {
            texts.add(silent-- > 0 ? null : upTo(transactions));
            transactions += random.nextInt(3);
        }
        return texts;
    }

    private static GtidSet mySqlSet(Random random) {
        int end = random.nextInt(40);
        String hole =
                end > 3 && random.nextInt(3) == 0 ? SERVER + ":1-%d:%d-%d".formatted(end / 2, end / 2 + 2, end) : "";
        return end == 0 ? MySqlGtidSet.EMPTY : GtidSet.parse(hole.isEmpty() ? upTo(end) : hole);
    }

    /** Two domains, of which each may begin late, and may be deleted, and then used again from its first number on. */
    private static List<@Nullable String> mariaDb(Random random, boolean isUsedAgain) {
        int files = 1 + random.nextInt(20);
        int[] number = {random.nextInt(3), random.nextInt(3)};
        int[] deleted = {random.nextInt(2 * files), random.nextInt(2 * files)};
        int[] again = {deleted[0] + 1 + random.nextInt(files), deleted[1] + 1 + random.nextInt(files)};
        List<@Nullable String> texts = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            List<String> domains = new ArrayList<>();
            for (int domain = 0; domain < number.length; domain++) {
                boolean isAgain = isUsedAgain && i >= again[domain];
                number[domain] = isAgain && i == again[domain] ? random.nextInt(2) : number[domain];
                if (number[domain] > 0 && (i < deleted[domain] || isAgain)) {
                    domains.add("%d-1-%d".formatted(domain, number[domain]));
                }
                number[domain] += random.nextInt(3);
            }
            texts.add(String.join(",", domains));
        }
        return texts;
    }

    private static GtidSet mariaDbSet(Random random) {
        List<String> domains = new ArrayList<>();
        for (int domain = 0; domain < 2; domain++) {
            int number = random.nextInt(30);
            if (number > 0) {
                domains.add("%d-1-%d".formatted(domain, number));
            }
        }
        return MariaDbGtidSet.parse(String.join(",", domains));
    }

    /** A server of which only the heads of the files are known; null for one that states nothing. */
    private static final class Heads implements BinlogScan {
        private final boolean isMariaDb;
        private final List<@Nullable String> texts;
        private int asked;
        private int unsent = -1;

        Heads(boolean isMariaDb, List<@Nullable String> texts) {
            this.isMariaDb = isMariaDb;
            this.texts = texts;
        }

        FileHeads heads() {
            return new FileHeads(
                    IntStream.range(0, texts.size())
                            .mapToObj(file -> new ServerFacts.File(Integer.toString(file), 200))
                            .toList(),
                    this);
        }

        private int lastWithin(GtidSet set) {
            int file = texts.size() - 1;
            while (file >= 0 && texts.get(file) != null && !set.containsAll(parse(texts.get(file)))) {
                file--;
            }
            return file;
        }

        private int lastWithout(GtidSet set, int end) {
            int file = end - 1;
            while (file >= 0
                    && texts.get(file) != null
                    && parse(texts.get(file)).containsAll(set)) {
                file--;
            }
            return file;
        }

        private GtidSet parse(@Nullable String text) {
            return isMariaDb ? MariaDbGtidSet.parse(text) : MySqlGtidSet.parse(text);
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            asked++;
            if (file.equals(Integer.toString(unsent))) {
                throw ServerErrors.unreadable("Could not open log file");
            }
            String text = texts.get(Integer.parseInt(file));
            byte[] head = text == null ? event(EventCode.STOP, new byte[0]) : head(text);
            EventHeader header = EventHeader.read(head, 0, head.length);
            visitor.visit(header, new EventBody(head, EventHeader.LENGTH, head.length), 4, 4 + head.length);
        }

        private byte[] head(String text) {
            ByteBuffer body = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
            if (!isMariaDb) {
                body.putLong(text.isEmpty() ? 0 : 1);
                if (!text.isEmpty()) {
                    body.order(ByteOrder.BIG_ENDIAN)
                            .putLong(SERVER.getMostSignificantBits())
                            .putLong(SERVER.getLeastSignificantBits())
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(1)
                            .putLong(1)
                            .putLong(Long.parseLong(text.substring(text.lastIndexOf('-') + 1)) + 1);
                }
                return event(EventCode.PREVIOUS_GTIDS, written(body));
            }
            String[] domains = text.isEmpty() ? new String[0] : text.split(",");
            body.putInt(domains.length);
            for (String domain : domains) {
                String[] parts = domain.split("-");
                body.putInt(Integer.parseInt(parts[0]))
                        .putInt(Integer.parseInt(parts[1]))
                        .putLong(Long.parseLong(parts[2]));
            }
            return event(EventCode.MARIADB_GTID_LIST, written(body));
        }

        private static byte[] written(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.position()];
            buffer.flip().get(bytes);
            return bytes;
        }

        private static byte[] event(int code, byte[] body) {
            int length = EventHeader.LENGTH + body.length;
            return ByteBuffer.allocate(length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(1_700_000_000)
                    .put((byte) code)
                    .putInt(1)
                    .putInt(length)
                    .putInt(4 + length)
                    .putShort((short) 0)
                    .put(body)
                    .array();
        }

        @Override
        public EventSource read(BinlogPosition from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abort() {}
    }
}
