package io.sluice.server.pace;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has set for the delivery of an instance, as it is kept over restarts of the process. Its text is that of a properties file.
 *
 * @param reason the caller that paused it, and the reason; null unless paused
 * @param since when it was paused; null unless paused
 * @param pauseTarget where it will pause, or where it was paused; null if nowhere, or if it was paused at once
 * @param limits its largest rates
 */
record KeptPace(
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable PauseTarget pauseTarget,
        RateLimits limits) {
    private static final String REASON = "paused.reason";
    private static final String SINCE = "paused.since";
    private static final String FILE = "stop.file";
    private static final String OFFSET = "stop.offset";
    private static final String HOST = "stop.source.host";
    private static final String PORT = "stop.source.port";
    private static final String IDENTITY = "stop.source.identity";
    private static final String GTID = "stop.gtid";
    private static final String TIME = "stop.time";
    private static final String ROWS = "limit.rows";
    private static final String BYTES = "limit.bytes";

    /** Full speed. */
    static final KeptPace NOTHING = new KeptPace(null, null, null, RateLimits.NONE);

    /** Whether it is full speed, without a target to stop at. */
    boolean isNothing() {
        return equals(NOTHING);
    }

    String text() {
        Properties text = new Properties();
        put(text, REASON, reason);
        put(text, SINCE, since);
        if (pauseTarget instanceof PauseTarget.Position target) {
            put(text, FILE, target.position().file());
            put(text, OFFSET, target.position().offset());
            SourceServer source = target.source();
            if (source != null) {
                put(text, HOST, source.host());
                put(text, PORT, source.port());
                put(text, IDENTITY, source.identity());
            }
        } else if (pauseTarget instanceof PauseTarget.Transactions target) {
            put(text, GTID, target.set());
        } else if (pauseTarget instanceof PauseTarget.Time target) {
            put(text, TIME, target.time());
        }
        put(text, ROWS, limits.rowsPerSecond());
        put(text, BYTES, limits.bytesPerSecond());
        StringWriter out = new StringWriter();
        try {
            text.store(
                    out,
                    "Set by an operator; to deliver at full speed, delete this while all servers of the instance are stopped.");
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory can be written", e);
        }
        return out.toString();
    }

    private static void put(Properties text, String name, @Nullable Object value) {
        if (value != null) {
            text.setProperty(name, value.toString());
        }
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if it is something else; the message says what is wrong
     */
    static KeptPace parse(String written) {
        Properties text = new Properties();
        try {
            text.load(new StringReader(written));
            String since = text.getProperty(SINCE);
            String reason = text.getProperty(REASON);
            if ((since == null) != (reason == null)) {
                throw new IllegalArgumentException("%s and %s belong together".formatted(REASON, SINCE));
            }
            return new KeptPace(
                    reason,
                    since == null ? null : Instant.parse(since),
                    pauseTarget(text),
                    new RateLimits(number(text, ROWS), number(text, BYTES)));
        } catch (IOException | DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static @Nullable PauseTarget pauseTarget(Properties text) {
        String file = text.getProperty(FILE);
        String gtid = text.getProperty(GTID);
        String time = text.getProperty(TIME);
        if (file != null) {
            String host = text.getProperty(HOST);
            SourceServer source = host == null
                    ? null
                    : new SourceServer(host, Math.toIntExact(number(text, PORT)), text.getProperty(IDENTITY, ""));
            return new PauseTarget.Position(new BinlogPosition(file, number(text, OFFSET)), source);
        }
        if (gtid != null) {
            return new PauseTarget.Transactions(GtidSet.parse(gtid));
        }
        return time == null ? null : new PauseTarget.Time(Instant.parse(time));
    }

    private static long number(Properties text, String name) {
        String value = text.getProperty(name);
        try {
            if (value != null) {
                return Long.parseLong(value);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s is no number: %s".formatted(name, value), e);
        }
        throw new IllegalArgumentException(name + " is missing");
    }
}
