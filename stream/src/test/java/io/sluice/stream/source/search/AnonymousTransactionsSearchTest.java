package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.ScanOnly;
import io.sluice.stream.source.SyntheticScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How transactions without a GTID are searched at a server that was not read before: in few files, and with the result of a search in all. */
class AnonymousTransactionsSearchTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final Pattern SKIPPED =
            Pattern.compile("transactions from (\\S+) on have no GTID.* begin after (\\S+)");
    private static final int HISTORIES = 5_000;
    private static final int MANY = 4_000;

    /** What a search comes to: {@link #NONE}, {@link #UNREADABLE}, or the first position that would be skipped and the newest file with such ones. */
    private static final String NONE = "none";

    private static final String UNREADABLE = "unreadable";

    /** A transaction in a file, without a GTID if it is anonymous. */
    private record Logged(boolean isAnonymous, GtidSet before, long start) {}

    /** A file; its head states what was before it, or nothing if it was written before there were GTIDs. */
    private record LoggedFile(String name, @Nullable GtidSet head, List<Logged> transactions) {}

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 1, SERVER, 1_700_000_000, false);
    private final List<LoggedFile> files = new ArrayList<>();
    private final Set<String> unreadable = new HashSet<>();
    /** Whether the server ends a dump at a transaction without a GTID, as with {@code gtid_mode=ON}. */
    private boolean isRefusing = true;

    private int gtids;
    private int scans;

    @Test
    void findsWhatASearchInAllFilesFinds() throws IOException {
        Set<String> kinds = new HashSet<>();
        for (int seed = 0; seed < HISTORIES; seed++) {
            AnonymousTransactionsSearchTest history = new AnonymousTransactionsSearchTest();
            Random random = new Random(seed);
            GtidSet executed = history.draw(random);

            String all = history.inAllFiles(executed);
            String found = history.search(executed);

            if (all.equals(UNREADABLE) && !found.equals(UNREADABLE)) { // a file that need not be read
                history.unreadable.clear();
                all = history.inAllFiles(executed);
            }
            assertThat(found).as("seed %d", seed).isEqualTo(all);
            kinds.add(all.contains(" ") ? "skipped" : all);
        }
        assertThat(kinds).containsExactlyInAnyOrder(NONE, UNREADABLE, "skipped");
    }

    @Test
    void ofThousandsOfFilesThatWereNotReadItAsksAFew() throws IOException {
        begin(true);
        for (int i = 1; i < MANY; i++) {
            transaction();
            rotate(true);
        }

        for (int read : List.of(1, 2, MANY / 2, MANY - 2, MANY - 1)) {
            scans = 0;
            assertThat(search(upTo(read))).isEqualTo(NONE);
            assertThat(scans).as("read up to %d", read).isLessThan(4 * 12);
        }
    }

    @Test
    void ofThousandsOfFilesWithoutGtidsItAsksAFew() throws IOException {
        begin(true);
        transaction();
        for (int i = 1; i < MANY; i++) {
            rotate(true);
            anonymous();
        }
        rotate(true);
        transaction();

        assertThat(search(upTo(1)))
                .isEqualTo(files.get(1).name() + ":"
                        + files.get(1).transactions().get(0).start() + " "
                        + files.get(MANY - 1).name());
        assertThat(scans).isLessThan(4 * 12);
    }

    /** Draws a history, and returns what was read of it. */
    private GtidSet draw(Random random) {
        isRefusing = random.nextBoolean();
        int withoutHeads = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
        int count = 1 + random.nextInt(14);
        List<Integer> before = new ArrayList<>();
        for (int file = 0; file < count; file++) {
            if (file == 0) {
                begin(withoutHeads == 0);
            } else {
                rotate(file >= withoutHeads);
            }
            before.add(gtids);
            int gtidsOfTen = random.nextBoolean() ? 0 : random.nextInt(11);
            for (int left = random.nextInt(4); left > 0; left--) {
                if (random.nextInt(10) < gtidsOfTen) {
                    transaction();
                } else {
                    anonymous();
                }
            }
        }
        if (random.nextInt(4) == 0) {
            unreadable.add(files.get(random.nextInt(count)).name());
        }
        int read = random.nextInt(3) > 0 ? before.get(random.nextInt(count)) : random.nextInt(gtids + 1);
        return switch (random.nextInt(8)) {
            case 0 -> GtidSet.parse(upTo(Math.max(1, read)) + ",423b686a-e4de-11f1-8f50-02fc00000002:1-5");
            case 1 -> GtidSet.parse(upTo(Math.max(1, read)) + ":" + (read + 3));
            default -> read == 0 ? GtidSet.parse("") : upTo(read);
        };
    }

    private static GtidSet upTo(int number) {
        return GtidSet.parse(SERVER + ":1-" + number);
    }

    private GtidSet executed() {
        return gtids == 0 ? GtidSet.parse("") : upTo(gtids);
    }

    private void begin(boolean hasHead) {
        files.add(new LoggedFile(binlog.newestFile(), hasHead ? executed() : null, new ArrayList<>()));
    }

    private void rotate(boolean hasHead) {
        binlog.rotate();
        begin(hasHead);
    }

    private void transaction() {
        add(false);
        gtids++;
        binlog.open(0);
        binlog.query("shop", "create table t (id int)");
        binlog.close();
    }

    private void anonymous() {
        add(true);
        binlog.append(SyntheticBinlog.ANONYMOUS_GTID, new byte[42]);
        binlog.query("shop", "create table u (id int)");
    }

    private void add(boolean isAnonymous) {
        files.get(files.size() - 1).transactions().add(new Logged(isAnonymous, executed(), binlog.end()));
    }

    private String search(GtidSet executed) throws IOException {
        OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);
        try {
            AnonymousTransactions.requireNone(BinlogPosition.UNKNOWN, executed, server, new Scan());
            return NONE;
        } catch (SourceException e) {
            Matcher skipped = SKIPPED.matcher(e.getMessage());
            assertThat(skipped.find()).as(e.getMessage()).isTrue();
            return skipped.group(1) + " " + skipped.group(2);
        } catch (ServerErrorException e) {
            return UNREADABLE;
        }
    }

    /** Asks one file after the other, from the newest one on. */
    private String inAllFiles(GtidSet executed) {
        int begin = files.size() - 1;
        while (begin >= 0 && isHeadReadable(begin) && !isStart(begin, executed)) {
            begin--;
        }
        if (begin < 0) {
            return NONE;
        }
        if (!isHeadReadable(begin)) {
            return UNREADABLE;
        }
        GtidSet head = files.get(begin).head();
        if (head == null || executed.isEmpty() || !head.containsAll(executed)) {
            return NONE;
        }
        String oldest = null;
        String newest = null;
        for (int i = begin - 1; i >= 0 && head != null && head.containsAll(executed); i--) {
            LoggedFile file = files.get(i);
            if (!isHeadReadable(i)) {
                return UNREADABLE;
            }
            long found = afterLastGtid(file, executed);
            if (found >= 0) {
                oldest = file.name() + ":" + found;
                newest = newest == null ? file.name() : newest;
            }
            head = file.head();
        }
        return oldest == null ? NONE : oldest + " " + newest;
    }

    private boolean isStart(int index, GtidSet executed) {
        GtidSet head = files.get(index).head();
        return head == null || executed.containsAll(head);
    }

    /** Without a head, a file is read up to its first transaction. */
    private boolean isHeadReadable(int index) {
        LoggedFile file = files.get(index);
        boolean isRefused = isRefusing
                && file.head() == null
                && !file.transactions().isEmpty()
                && file.transactions().get(0).isAnonymous();
        return !isRefused && !unreadable.contains(file.name());
    }

    private long afterLastGtid(LoggedFile file, GtidSet executed) {
        long found = -1;
        for (Logged transaction : file.transactions()) {
            if (transaction.isAnonymous() && isRefusing) {
                return file.head() != null && transaction.before().containsAll(executed) ? transaction.start() : -1;
            }
            found = !transaction.isAnonymous() ? -1 : found < 0 ? transaction.start() : found;
        }
        return found;
    }

    private final class Scan extends ScanOnly {
        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            scans++;
            if (unreadable.contains(file)) {
                throw ServerErrors.unreadable("binlog truncated in the middle of event");
            }
            boolean hasHead = files.stream().anyMatch(logged -> logged.name().equals(file) && logged.head() != null);
            SyntheticScan.scan(
                    binlog,
                    file,
                    (header, start) -> isRefusing && header.code() == EventCode.ANONYMOUS_GTID,
                    (header, body, start, end) -> header.code() == EventCode.PREVIOUS_GTIDS && !hasHead
                            || visitor.visit(header, body, start, end));
        }
    }
}
