package io.sluice.testkit.binlog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * The binlog of a server that does not exist: files of events, with the transactions that they belong to as its author knows
 * them.
 *
 * <p>{@link #open} begins a transaction and {@link #close} ends it, whatever events are between; so the positions between
 * transactions are known without looking at the events. For one thread.
 */
public final class SyntheticBinlog {
    public static final int QUERY = 2;
    public static final int STOP = 3;
    public static final int ROTATE = 4;
    public static final int INTVAR = 5;
    public static final int FORMAT_DESCRIPTION = 15;
    public static final int XID = 16;
    public static final int TABLE_MAP = 19;
    public static final int HEARTBEAT = 27;
    public static final int ROWS_QUERY = 29;
    public static final int GTID = 33;
    public static final int ANONYMOUS_GTID = 34;
    public static final int PREVIOUS_GTIDS = 35;
    public static final int XA_PREPARE = 38;
    public static final int TRANSACTION_PAYLOAD = 40;
    public static final int MARIADB_ANNOTATE_ROWS = 160;
    public static final int MARIADB_CHECKPOINT = 161;
    public static final int MARIADB_GTID = 162;
    public static final int MARIADB_GTID_LIST = 163;

    /** Flags of a GTID event of MariaDB. */
    public static final int MARIADB_STANDALONE = 1;

    public static final int MARIADB_TRANSACTIONAL = 4;
    public static final int MARIADB_DDL = 0x20;

    private static final int HEADER_BYTES = 19;
    private static final int CHECKSUM_BYTES = 4;
    private static final int NEXT_OFFSET = 13;
    private static final int ARTIFICIAL = 0x20;
    private static final int FIRST_OFFSET = 4;
    private static final int DOMAIN = 0;

    /** The status variable of a statement that states the character sets of its session. */
    private static final int CHARSET_STATUS = 4;

    private final Flavour flavour;
    private final long serverId;
    private final UUID uuid;
    private final boolean checksummed;
    private long writer;
    private long owner;
    private final List<LogFile> files = new ArrayList<>();
    private final List<Range> rolledBack = new ArrayList<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private long seconds;
    private long transactionNumber;
    private long tableIds = 100;
    private int fileCount;
    private Transaction current = Transaction.NONE;
    private boolean namesColumns;

    /** The kinds of servers and modes that log transactions differently. */
    public enum Flavour {
        MYSQL_GTID,
        MYSQL_ANONYMOUS,
        MARIADB;

        public boolean isMariaDb() {
            return this == MARIADB;
        }

        public boolean hasGtids() {
            return this != MYSQL_ANONYMOUS;
        }
    }

    /** A file of the binlog. */
    private record LogFile(String name, long transactionsBefore, long begunSeconds, List<Event> events) {
        long end() {
            return events.isEmpty()
                    ? FIRST_OFFSET
                    : events.get(events.size() - 1).end();
        }
    }

    /**
     * An event in a file.
     *
     * @param start its offset
     * @param bytes with header and checksum
     * @param transaction the number of its transaction, from 1; 0 if it is in none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Event(String file, long start, byte[] bytes, long transaction) {
        public long end() {
            return start + bytes.length;
        }

        public int code() {
            return bytes[4] & 0xFF;
        }
    }

    /**
     * A transaction.
     *
     * @param number counts from 1; also the last part of its GTID
     * @param start the offset of its first event
     * @param end the offset after its last event; -1 while it is open, or for ever if it was cut off
     * @param gtidsAfter the executed set with it, as the server prints it; empty without GTIDs
     */
    public record Transaction(long number, String file, long start, long end, String gtidsAfter) {
        static final Transaction NONE = new Transaction(0, "", 0, 0, "");
    }

    /**
     * Makes a binlog with one file.
     *
     * @param checksummed whether events end with their CRC32
     */
    public SyntheticBinlog(Flavour flavour, long serverId, UUID uuid, long startSeconds, boolean checksummed) {
        this.flavour = flavour;
        this.serverId = serverId;
        this.writer = serverId;
        this.owner = serverId;
        this.uuid = uuid;
        this.seconds = startSeconds;
        this.checksummed = checksummed;
        beginFile();
    }

    public Flavour flavour() {
        return flavour;
    }

    public UUID uuid() {
        return uuid;
    }

    /** The clock of the server, which its events have; in seconds since the epoch. */
    public long seconds() {
        return seconds;
    }

    /**
     * Sets the {@code server_id} of the events of transactions from now on, as if another server wrote them; those with GTIDs of MariaDB keep the
     * first one in these.
     */
    public void writeAs(long otherServerId) {
        writer = otherServerId;
    }

    /**
     * Sets the {@code server_id} of what the server writes by itself from now on, as that of a replica: heads and ends of files, and what is
     * sent and is not in a file.
     */
    public void belongTo(long otherServerId) {
        owner = otherServerId;
    }

    /** Lets the server's clock advance; it may also be set back. */
    public void advance(long more) {
        seconds += more;
    }

    /** Sets whether table maps name the columns from now on, as with {@code binlog_row_metadata=FULL}; at first they do not. */
    public void nameColumns(boolean named) {
        namesColumns = named;
    }

    private void beginFile() {
        files.add(new LogFile("binlog.%06d".formatted(++fileCount), transactionNumber, seconds, new ArrayList<>()));
        append(FORMAT_DESCRIPTION, formatDescription());
        if (flavour.isMariaDb()) {
            append(MARIADB_GTID_LIST, gtidList());
            append(
                    MARIADB_CHECKPOINT,
                    new EventBytes().number(13, 4).text("binlog.000001").toByteArray());
        } else {
            append(PREVIOUS_GTIDS, previousGtids());
        }
    }

    private byte[] formatDescription() {
        String version = flavour.isMariaDb() ? "10.11.6-MariaDB-log" : "8.0.31";
        EventBytes body = new EventBytes()
                .number(4, 2)
                .raw(Arrays.copyOf(version.getBytes(java.nio.charset.StandardCharsets.US_ASCII), 50))
                .number(seconds, 4)
                .number(HEADER_BYTES, 1);
        byte[] postHeaders = new byte[flavour.isMariaDb() ? 171 : 41];
        Arrays.fill(postHeaders, (byte) 8);
        return body.raw(postHeaders).number(checksummed ? 1 : 0, 1).toByteArray();
    }

    private byte[] previousGtids() {
        if (flavour != Flavour.MYSQL_GTID || transactionNumber == 0) {
            return new byte[8];
        }
        return new EventBytes()
                .number(1, 8)
                .raw(uuidBytes())
                .number(1, 8)
                .number(1, 8)
                .number(transactionNumber + 1, 8)
                .toByteArray();
    }

    private byte[] gtidList() {
        EventBytes body = new EventBytes().number(transactionNumber == 0 ? 0 : 1, 4);
        if (transactionNumber > 0) {
            body.number(DOMAIN, 4).number(serverId, 4).number(transactionNumber, 8);
        }
        return body.toByteArray();
    }

    private byte[] uuidBytes() {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** The executed transactions, as the server prints them; those that are open are not among them. */
    public String executed() {
        return executed(transactionNumber);
    }

    /** The transactions of the files that were deleted, as the server prints them. */
    public String purged() {
        return executed(files.get(0).transactionsBefore());
    }

    /** A heartbeat, which a server sends while it has nothing else; it states up to where nothing is left in the newest file. */
    public byte[] heartbeat(long offset) {
        byte[] event = event(HEARTBEAT, new EventBytes().text(newestFile()).toByteArray(), 0, ARTIFICIAL, 0);
        ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(NEXT_OFFSET, (int) offset);
        checksum(event);
        return event;
    }

    private String executed(long last) {
        if (last == 0 || !flavour.hasGtids()) {
            return "";
        }
        return flavour.isMariaDb()
                ? "%d-%d-%d".formatted(DOMAIN, serverId, last)
                : uuid + ":" + (last == 1 ? "1" : "1-" + last);
    }

    /** All transactions that were begun, oldest first. */
    public List<Transaction> transactions() {
        return List.copyOf(transactions);
    }

    /** All events of all files, oldest first. */
    public List<Event> events() {
        return files.stream().flatMap(file -> file.events().stream()).toList();
    }

    /** The names of the files, oldest first. */
    public List<String> fileNames() {
        return files.stream().map(LogFile::name).toList();
    }

    /** How long a file is, in bytes. */
    public long fileBytes(String name) {
        return file(name).end();
    }

    /** The events of a file. */
    public List<Event> events(String name) {
        return List.copyOf(file(name).events());
    }

    private LogFile file(String name) {
        return files.stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no file " + name));
    }

    private LogFile newest() {
        return files.get(files.size() - 1);
    }

    /** The newest file. */
    public String newestFile() {
        return newest().name();
    }

    /** States that the source rolled back what is in the newest file from an offset on. */
    public void rollBackFrom(long offset) {
        rolledBack.add(new Range(newestFile(), offset, end()));
    }

    /** Whether the event at an offset was rolled back, though it is in the binlog. */
    public boolean isRolledBack(String file, long offset) {
        return rolledBack.stream()
                .anyMatch(range -> range.file().equals(file) && range.from() <= offset && offset < range.to());
    }

    private record Range(String file, long from, long to) {}

    /** Where the newest file ends. */
    public long end() {
        return newest().end();
    }

    /** Begins a transaction with the event that announces it; of MariaDB with these flags. */
    public void open(int mariaDbFlags) {
        open(mariaDbFlags, new byte[6]);
    }

    /** Begins a transaction of which the GTID event of MariaDB has this after its flags. */
    public void open(int mariaDbFlags, byte[] afterFlags) {
        if (current.number() != 0) {
            throw new IllegalStateException("a transaction is open");
        }
        long number = transactionNumber + 1;
        current = new Transaction(number, newestFile(), end(), -1, executed(number));
        transactions.add(current);
        switch (flavour) {
            case MYSQL_GTID ->
                append(
                        GTID,
                        new EventBytes()
                                .number(1, 1)
                                .raw(uuidBytes())
                                .number(number, 8)
                                .number(2, 1)
                                .number(number - 1, 8)
                                .number(number, 8)
                                .toByteArray());
            case MYSQL_ANONYMOUS -> append(ANONYMOUS_GTID, new byte[42]);
            case MARIADB ->
                append(
                        MARIADB_GTID,
                        new EventBytes()
                                .number(number, 8)
                                .number(DOMAIN, 4)
                                .number(mariaDbFlags, 1)
                                .raw(afterFlags)
                                .toByteArray());
        }
    }

    /** Ends the open transaction, which is committed then. */
    public Transaction close() {
        Transaction closed =
                new Transaction(current.number(), current.file(), current.start(), end(), current.gtidsAfter());
        transactions.set(transactions.size() - 1, closed);
        transactionNumber++;
        current = Transaction.NONE;
        return closed;
    }

    /** Begins another file, as {@code FLUSH BINARY LOGS} does. */
    public void rotate() {
        if (current.number() != 0) {
            throw new IllegalStateException("a server does not rotate within a transaction");
        }
        String next = "binlog.%06d".formatted(fileCount + 1);
        append(ROTATE, new EventBytes().number(FIRST_OFFSET, 8).text(next).toByteArray());
        beginFile();
    }

    /** Begins another file after a crash: an open transaction is cut off and never committed; its number is used again. */
    public void crash() {
        current = Transaction.NONE;
        beginFile();
    }

    /**
     * Deletes all files, and begins with the first name again, as {@code RESET MASTER} does.
     *
     * @param keepsGtids whether the server gets its executed transactions then; if not, it numbers the next ones from 1 again, and those before are not among
     *     its {@link #transactions} any more
     */
    public void reset(boolean keepsGtids) {
        if (current.number() != 0) {
            throw new IllegalStateException("a transaction is open");
        }
        files.clear();
        rolledBack.clear();
        fileCount = 0;
        if (!keepsGtids) {
            transactionNumber = 0;
            transactions.clear();
        }
        beginFile();
    }

    /** Deletes the oldest files. */
    public void purge(int count) {
        files.subList(0, count).clear();
    }

    /** Appends an event. */
    public Event append(int code, byte[] body) {
        LogFile file = newest();
        byte[] bytes = event(code, body, file.end(), 0, seconds);
        Event event = new Event(file.name(), file.end(), bytes, current.number());
        file.events().add(event);
        return event;
    }

    /** A whole event at an offset. */
    private byte[] event(int code, byte[] body, long start, int flags, long timestamp) {
        boolean hasChecksum = checksummed || code == FORMAT_DESCRIPTION;
        int length = HEADER_BYTES + body.length + (hasChecksum ? CHECKSUM_BYTES : 0);
        boolean isArtificial = (flags & ARTIFICIAL) != 0;
        byte[] bytes = header(
                        code,
                        isOfOwner(code) ? owner : writer,
                        length,
                        isArtificial ? 0 : start + length,
                        flags,
                        timestamp)
                .raw(body)
                .raw(new byte[hasChecksum ? CHECKSUM_BYTES : 0])
                .toByteArray();
        checksum(bytes);
        return bytes;
    }

    private void checksum(byte[] event) {
        if (checksummed) {
            int length = event.length - CHECKSUM_BYTES;
            CRC32 crc = new CRC32();
            crc.update(event, 0, length);
            ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).putInt(length, (int) crc.getValue());
        }
    }

    private static boolean isOfOwner(int code) {
        return switch (code) {
            case STOP, ROTATE, FORMAT_DESCRIPTION, HEARTBEAT, PREVIOUS_GTIDS, MARIADB_CHECKPOINT, MARIADB_GTID_LIST ->
                true;
            default -> false;
        };
    }

    private static EventBytes header(int code, long serverId, int length, long next, int flags, long timestamp) {
        return new EventBytes()
                .number(timestamp, 4)
                .number(code, 1)
                .number(serverId, 4)
                .number(length, 4)
                .number(next, 4)
                .number(flags, 2);
    }

    /** The body of a statement that states no character set. */
    public static byte[] queryBody(String schema, String sql) {
        return queryBody(schema, sql, new byte[0]);
    }

    private static byte[] queryBody(String schema, String sql, byte[] status) {
        return new EventBytes()
                .number(7, 4)
                .number(0, 4)
                .number(schema.length(), 1)
                .number(0, 2)
                .number(status.length, 2)
                .raw(status)
                .text(schema)
                .number(0, 1)
                .text(sql)
                .toByteArray();
    }

    /** Appends a statement. */
    public void query(String schema, String sql) {
        append(QUERY, queryBody(schema, sql));
    }

    /** Appends a statement of a client whose character set has a collation with this id. */
    public void query(String schema, String sql, int collation) {
        byte[] status = new EventBytes()
                .number(CHARSET_STATUS, 1)
                .number(collation, 2)
                .number(collation, 2)
                .number(collation, 2)
                .toByteArray();
        append(QUERY, queryBody(schema, sql, status));
    }

    /** Appends the text of the statement whose rows events follow, as MySQL logs it: bytes in the client's character set. */
    public void rowsQuery(byte[] sql) {
        append(ROWS_QUERY, new EventBytes().number(sql.length, 1).raw(sql).toByteArray());
    }

    /** Appends an XID, the commit of a transactional engine. */
    public void xid() {
        append(XID, new EventBytes().number(transactionNumber, 8).toByteArray());
    }

    /** What happens to rows. */
    public enum Change {
        INSERT(30, 23),
        UPDATE(31, 24),
        DELETE(32, 25);

        private final int mySqlCode;
        private final int mariaDbCode;

        Change(int mySqlCode, int mariaDbCode) {
            this.mySqlCode = mySqlCode;
            this.mariaDbCode = mariaDbCode;
        }
    }

    /** Appends a table map and a rows event; an update has two images for each row. */
    public void rows(SyntheticTable table, Change change, List<List<Object>> images) {
        long tableId = tableIds++;
        append(TABLE_MAP, table.tableMap(tableId, namesColumns));
        append(rowsCode(change), table.rows(tableId, !flavour.isMariaDb(), change == Change.UPDATE, images));
    }

    private int rowsCode(Change change) {
        return flavour.isMariaDb() ? change.mariaDbCode : change.mySqlCode;
    }

    /** Appends a transaction of MySQL 8.0.20 as one event, not compressed: BEGIN, inserts, XID. */
    public void payload(String schema, SyntheticTable table, List<List<List<Object>>> inserts) {
        EventBytes inside = new EventBytes();
        insideEvent(inside, QUERY, queryBody(schema, "BEGIN"));
        inserts(inside, table, inserts);
        insideEvent(inside, XID, new EventBytes().number(1, 8).toByteArray());
        payload(inside);
    }

    /**
     * Appends an XA transaction up to its preparation as one event, not compressed.
     *
     * @param xid as its statements name it
     * @param prepare the body of the event that ends it
     */
    public void xaPayload(
            String schema, SyntheticTable table, List<List<List<Object>>> inserts, String xid, byte[] prepare) {
        EventBytes inside = new EventBytes();
        insideEvent(inside, QUERY, queryBody(schema, "XA START " + xid));
        inserts(inside, table, inserts);
        insideEvent(inside, QUERY, queryBody(schema, "XA END " + xid));
        insideEvent(inside, XA_PREPARE, prepare);
        payload(inside);
    }

    private void inserts(EventBytes inside, SyntheticTable table, List<List<List<Object>>> inserts) {
        for (List<List<Object>> images : inserts) {
            long tableId = tableIds++;
            insideEvent(inside, TABLE_MAP, table.tableMap(tableId, namesColumns));
            insideEvent(inside, Change.INSERT.mySqlCode, table.rows(tableId, true, false, images));
        }
    }

    private void payload(EventBytes inside) {
        byte[] all = inside.toByteArray();
        append(
                TRANSACTION_PAYLOAD,
                new EventBytes()
                        .packed(2)
                        .packed(3)
                        .packed(255)
                        .packed(1)
                        .packed(all.length < 251 ? 1 : 3)
                        .packed(all.length)
                        .packed(0)
                        .raw(all)
                        .toByteArray());
    }

    private void insideEvent(EventBytes out, int code, byte[] body) {
        out.raw(header(code, writer, HEADER_BYTES + body.length, 0, 0, seconds).toByteArray())
                .raw(body);
    }

    /** What a server sends to a replica from a position on: artificial events included, to the end of the binlog. */
    public List<byte[]> dump(String name, long offset) {
        List<byte[]> sent = new ArrayList<>();
        boolean begun = false;
        for (LogFile file : files) {
            if (begun) {
                sent.add(artificialRotate(file.name(), FIRST_OFFSET));
                file.events().forEach(event -> sent.add(event.bytes()));
            } else if (file.name().equals(name)) {
                begun = true;
                sent.add(artificialRotate(name, offset));
                if (offset > FIRST_OFFSET) {
                    sent.add(event(FORMAT_DESCRIPTION, formatDescription(), 0, ARTIFICIAL, file.begunSeconds()));
                }
                for (Event event : file.events()) {
                    if (event.start() >= offset) {
                        sent.add(event.bytes());
                    }
                }
            }
        }
        if (!begun) {
            throw new IllegalArgumentException("no file " + name);
        }
        return sent;
    }

    /**
     * What a server sends to a replica that has executed the transactions up to one: the others, from the newest file on before
     * which all are executed.
     *
     * @throws IllegalArgumentException if it has purged some of the others
     */
    public List<byte[]> dumpAfter(long lastExecuted) {
        return dumpAfter(lastExecuted, fileAfter(lastExecuted));
    }

    /** The file in which {@link #dumpAfter(long)} begins. */
    public String fileAfter(long lastExecuted) {
        int first = files.size() - 1;
        while (files.get(first).transactionsBefore() > lastExecuted) {
            if (--first < 0) {
                throw new IllegalArgumentException("transactions after " + lastExecuted + " are purged");
            }
        }
        return files.get(first).name();
    }

    /** What a server sends to such a replica from a file on, as in a dump that began there. */
    public List<byte[]> dumpAfter(long lastExecuted, String firstFile) {
        List<byte[]> sent = new ArrayList<>();
        for (LogFile file : files.subList(files.indexOf(file(firstFile)), files.size())) {
            sent.add(artificialRotate(file.name(), FIRST_OFFSET));
            for (Event event : file.events()) {
                if (event.transaction() == 0 || event.transaction() > lastExecuted) {
                    sent.add(event.bytes());
                }
            }
        }
        return sent;
    }

    private byte[] artificialRotate(String name, long offset) {
        return event(ROTATE, new EventBytes().number(offset, 8).text(name).toByteArray(), 0, ARTIFICIAL, 0);
    }
}
