package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.InstanceConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Tries whether a host still has the binlog from which an instance would be read, and for how long it will. */
final class StartProbe {
    private static final Duration SOON = Duration.ofHours(1);
    private static final String CURSOR = "cursor";
    private static final String START = "start";

    private final InstanceConfig config;
    private final PositionOptions positions;
    private final ConfiguredStart configured;
    private final ServerFacts facts;
    private final List<ServerFacts.File> files;
    private final BinlogBoundaries binlog;
    private final Retention retention;
    private final Findings findings;

    /**
     * Makes it for one host.
     *
     * @param configured where it is read from if there is no cursor
     * @param files of its binlog, oldest first; at least one
     * @param binlog of the same host
     * @param retention of the same host
     */
    StartProbe(
            InstanceConfig config,
            ConfiguredStart configured,
            ServerFacts facts,
            List<ServerFacts.File> files,
            BinlogBoundaries binlog,
            Retention retention,
            Findings findings) {
        this.config = config;
        this.positions = config.source().positions();
        this.configured = configured;
        this.facts = facts;
        this.files = files;
        this.binlog = binlog;
        this.retention = retention;
        this.findings = findings;
    }

    void judge(StoredCursor stored) throws IOException {
        Cursor cursor = stored.cursor();
        if (!stored.failure().isEmpty()) {
            findings.unknown(CURSOR, stored.failure(), "");
        } else if (cursor == null) {
            judgeConfigured(stored.location());
        } else if (!cursor.gtidSet().isEmpty()
                && (positions.showsGtids() || positions.keepsGtids())
                && facts.hasGtids()
                && facts.sharesGtidsOf(cursor)) {
            judgeGtids(cursor, facts.isServerOf(cursor));
        } else if (!cursor.position().isKnown()) {
            judgeTime(cursor, "the cursor has a time only");
        } else if (!facts.isServerOf(cursor)) {
            judgeTime(
                    cursor,
                    "the cursor is of another server, %s:%d %s"
                            .formatted(
                                    cursor.sourceHost(),
                                    cursor.sourcePort(),
                                    cursor.source().identity()));
        } else if (isInSameFile(cursor)) {
            judgePosition(CURSOR, cursor.position());
        }
    }

    /** Reports a file that has the name of the cursor's, and is another one. */
    private boolean isInSameFile(Cursor cursor) throws IOException {
        BinlogPosition position = cursor.position();
        if (cursor.fileBegunSeconds() == 0 || indexOf(position.file()) < 0) {
            return true;
        }
        try {
            HostCheck.requireSameFile(position, cursor.fileBegunSeconds(), binlog.begunMillis(position.file()) / 1000);
            return true;
        } catch (SourceException e) {
            lost(CURSOR, String.valueOf(e.getMessage()), e.failure());
            return false;
        }
    }

    private void judgeConfigured(String location) throws IOException {
        String none = "no cursor in " + location;
        if (configured instanceof ConfiguredStart.At at) {
            judgePosition(START, at.point());
        } else if (configured instanceof ConfiguredStart.After after && facts.hasGtids()) {
            judgeGtids(after.gtidSet());
        } else if (configured instanceof ConfiguredStart.Since since) {
            judgeSince(START, since.time(), none + ", the configured start is " + since.time());
        } else if (configured instanceof ConfiguredStart.Earliest) {
            findings.ok(
                    START,
                    "%s, the configured start is the oldest position, %s"
                            .formatted(none, files.get(0).name()));
        } else {
            judgeNewest(none + ", and no start is configured: ");
        }
    }

    private void judgeNewest(String why) {
        HistoryConfig history = config.schema().history();
        if (history == null
                || positions.lostCursor() != LostCursor.STOP
                || config.cursor().isEmptied()) {
            findings.ok(START, why + "reading begins at the end of the binlog");
        } else if (history.location() instanceof HistoryLocation.LocalFile local) {
            if (Files.exists(local.file())) {
                findings.warning(
                        START,
                        why
                                + "if the instance was read before, as its schema history shows, its cursor is lost, and it does not start",
                        SourceFailure.CURSOR_LOST.remedy());
            } else {
                findings.ok(START, why + "reading begins at the end of the binlog");
            }
        } else {
            findings.ok(
                    START,
                    why
                            + "reading begins at the end of the binlog, unless the schema history shows that the instance was read before:"
                            + " then its cursor is lost, and it does not start");
        }
    }

    private void judgeGtids(Cursor cursor, boolean isHere) throws IOException {
        if (!hasGtids(CURSOR, () -> binlog.requireContinued(cursor, isHere))) {
            return;
        }
        BinlogPosition position = cursor.position();
        int file = isHere && position.isKnown() ? indexOf(position.file()) : -1;
        if (file >= 0) {
            judgeDistance(CURSOR, position, file);
        } else {
            hasAllAfter(CURSOR, cursor.gtidSet());
        }
    }

    private void judgeGtids(String configured) throws IOException {
        if (hasGtids(START, () -> HostCheck.require(GtidSet.parse(configured), facts))) {
            hasAllAfter(START, configured);
        }
    }

    private void hasAllAfter(String subject, String gtidSet) {
        findings.ok(subject, "the host has all transactions after " + shortened(gtidSet));
    }

    /** A check of the transactions that were read. */
    @FunctionalInterface
    private interface GtidCheck {
        void run() throws IOException;
    }

    private boolean hasGtids(String subject, GtidCheck check) throws IOException {
        try {
            check.run();
            return true;
        } catch (SourceException e) {
            lost(subject, String.valueOf(e.getMessage()), e.failure(), e.remedy());
        } catch (IllegalArgumentException e) {
            findings.failed(
                    subject, "the GTID set cannot be used: " + e.getMessage(), "set the cursor with cursor set");
        }
        return false;
    }

    private void judgePosition(String subject, BinlogPosition position) throws IOException {
        int file = indexOf(position.file());
        ServerFacts.File last = files.get(files.size() - 1);
        if (file < 0) {
            lost(
                    subject,
                    "%s is gone: the host has the files %s to %s"
                            .formatted(position, files.get(0).name(), last.name()),
                    SourceFailure.PURGED);
        } else if (position.offset() > files.get(file).bytes()) {
            lost(
                    subject,
                    "%s is beyond the end of the file, which has %d bytes: the history of this host is another one"
                            .formatted(position, files.get(file).bytes()),
                    SourceFailure.DIVERGED);
        } else {
            judgeDistance(subject, position, file);
        }
    }

    private void judgeDistance(String subject, BinlogPosition position, int index) throws IOException {
        long bytes =
                files.stream().skip(index).mapToLong(ServerFacts.File::bytes).sum() - position.offset();
        String evidence = "%s, %d bytes before the end of the binlog".formatted(position, Math.max(0, bytes));
        boolean isNewest = index == files.size() - 1;
        if (retention.kind() == Retention.Kind.AMAZON_AT_ONCE && !isNewest) {
            purgedSoon(subject, evidence + "; its file may be purged at any time");
            return;
        }
        if (retention.period().isZero() || isNewest) {
            findings.ok(subject, evidence + (isNewest ? "; its file is the newest, and is not purged" : ""));
            return;
        }
        long endedMillis = binlog.begunMillis(files.get(index + 1).name());
        Duration left = retention.period().minusMillis(facts.clockMillis() - endedMillis);
        if (left.isNegative()) {
            purgedSoon(subject, evidence + "; its file may be purged at any time");
        } else if (left.compareTo(SOON) < 0) {
            purgedSoon(subject, evidence + "; its file may be purged in about " + Span.of(left));
        } else {
            findings.ok(subject, evidence + "; its file may be purged in about " + Span.of(left));
        }
    }

    private void purgedSoon(String subject, String evidence) {
        findings.warning(subject, evidence, "start the instance now, or first " + retention.remedy());
    }

    private void judgeTime(Cursor cursor, String why) throws IOException {
        if (cursor.timestampMillis() <= 0) {
            findings.failed(
                    CURSOR, why + ", and has no time from which it could be read", "set the cursor with cursor set");
            return;
        }
        judgeSince(
                CURSOR,
                Instant.ofEpochMilli(cursor.timestampMillis()).minus(positions.fallback()),
                why + ", so this host is read by time");
    }

    private void judgeSince(String subject, Instant time, String what) throws IOException {
        Instant oldest = Instant.ofEpochMilli(binlog.begunMillis(files.get(0).name()));
        if (oldest.isAfter(time)) {
            boolean isCursor = subject.equals(CURSOR);
            String evidence = "%s, from %s on, but its binlog begins at %s".formatted(what, time, oldest);
            if (isCursor) {
                lost(subject, evidence, SourceFailure.PURGED);
            } else {
                findings.warning(subject, evidence + ", where reading begins then", "");
            }
        } else {
            findings.ok(subject, "%s, from %s on, which the binlog has".formatted(what, time));
        }
    }

    private void lost(String subject, String evidence, SourceFailure failure) {
        lost(subject, evidence, failure, failure.remedy());
    }

    private void lost(String subject, String evidence, SourceFailure failure, String remedy) {
        if (failure == SourceFailure.PURGED && positions.resetsToNewest()) {
            findings.warning(
                    subject,
                    evidence
                            + "; canal.auto.reset.latest.pos.mode=true continues at the newest position, and what is between"
                            + " is lost",
                    "load the tables again");
        } else if (failure == SourceFailure.LAGGING) {
            findings.warning(subject, evidence, remedy);
        } else {
            findings.failed(subject, evidence, remedy);
        }
    }

    private int indexOf(String name) {
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static String shortened(String gtidSet) {
        return gtidSet.length() <= 200 ? gtidSet : gtidSet.substring(0, 200) + "...";
    }
}
