package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.search.ScanLimitException;
import io.sluice.stream.source.search.StartCheck;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceHost;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries whether a host still has the binlog from which an instance would be read, and for how long it will. */
final class StartProbe {
    private static final Duration SOON = Duration.ofHours(1);
    private static final String CURSOR = "cursor";
    private static final String START = "start";
    private static final String SEARCH = "search in the binlog";

    /** What is looked through of the binlog: it is sent by a source that may be busy. */
    private static final long MOST_BYTES = 256 << 20;

    /** A third of the shortest time that a host is tried for, so that there is time for its tables. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(5);

    private final InstanceConfig config;
    private final PositionOptions positions;
    private final SourceHost host;
    private final ConfiguredStart configured;
    private final ServerFacts facts;
    private final List<ServerFacts.File> files;
    private final BinlogBoundaries binlog;
    private final Retention retention;
    private final StartCheck check;
    private final Findings findings;

    /**
     * Makes it for one host.
     *
     * @param files of its binlog, oldest first; at least one
     * @param binlog of the same host
     * @param retention of the same host
     */
    StartProbe(
            InstanceConfig config,
            SourceHost host,
            ServerFacts facts,
            List<ServerFacts.File> files,
            BinlogBoundaries binlog,
            Retention retention,
            Time time,
            Findings findings) {
        this.config = config;
        this.positions = config.source().positions();
        this.host = host;
        this.configured = host.start();
        this.facts = facts;
        this.files = files;
        this.binlog = binlog;
        this.retention = retention;
        this.check = binlog.startCheck(
                config.destination(),
                positions,
                host,
                config.source().hosts().size() == 1,
                MOST_BYTES,
                LONGEST_SEARCH,
                time);
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
            judgePosition(CURSOR, cursor.position(), cursor);
        }
    }

    /** What was found out about a start. */
    private enum Outcome {
        /** The host would be read. */
        PASSED,
        /** It would not, which is reported. */
        FAILED,
        /** The search was not done to the end, which is reported. */
        UNKNOWN
    }

    /** Reports what a start would fail by, and what cannot be looked at. */
    private Outcome check(String subject, @Nullable Cursor cursor) throws IOException {
        try {
            check.require(cursor);
            return Outcome.PASSED;
        } catch (ScanLimitException e) {
            findings.unknown(
                    SEARCH,
                    "a start looks through the binlog for its position, which is not done here to the end: "
                            + e.getMessage(),
                    "");
            return Outcome.UNKNOWN;
        } catch (LostEndException e) {
            lostEnd(subject, e);
        } catch (SourceException e) {
            lost(subject, String.valueOf(e.getMessage()), e.failure(), e.remedy());
        } catch (IllegalArgumentException e) {
            findings.failed(
                    subject, "the GTID set cannot be used: " + e.getMessage(), "set the cursor with cursor set");
        } catch (ServerErrorException e) {
            throw e; // after which the connection can be used
        } catch (IOException e) {
            findings.unknown(
                    SEARCH,
                    "the binlog cannot be looked through as a start does: " + FailureClassifier.message(e),
                    FailureClassifier.remedy(e));
            return Outcome.UNKNOWN;
        }
        return Outcome.FAILED;
    }

    private void lostEnd(String subject, LostEndException failure) {
        String evidence = String.valueOf(failure.getMessage());
        if (positions.resetsToNewest() && failure.isProbablyOfAnotherServer()) {
            findings.warning(
                    subject,
                    evidence
                            + "; its server_id is not that of the position, and canal.auto.reset.latest.pos.mode=true continues by time, or at the newest"
                            + " position if the binlog does not go back so far",
                    failure.remedy());
        } else if (positions.resetsToNewest()) {
            findings.warning(
                    subject,
                    "%s; canal.auto.reset.latest.pos.mode=true continues at %s".formatted(evidence, failure.start()),
                    failure.remedy());
        } else {
            findings.failed(subject, evidence, failure.remedy());
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
        SourceHost first = config.source().hosts().get(0);
        ConfiguredStart.At ofFirst = host.lacksStartBeside(first);
        if (ofFirst != null) {
            notRead(none, ofFirst, first);
        } else if (configured instanceof ConfiguredStart.At at) {
            judgePosition(START, at.point(), null);
        } else if (configured instanceof ConfiguredStart.After after && facts.hasGtids()) {
            judgeGtids(after.gtidSet());
        } else if (configured instanceof ConfiguredStart.Since since) {
            judgeSince(START, since.time(), none + ", the configured start is " + since.time(), null);
        } else if (configured instanceof ConfiguredStart.Earliest) {
            findings.ok(
                    START,
                    "%s, the configured start is the oldest position, %s"
                            .formatted(none, files.get(0).name()));
        } else {
            judgeNewest(
                    configured instanceof ConfiguredStart.Newest
                            ? none + ", the configured start is the newest position: "
                            : none + ", and no start is configured: ");
        }
    }

    private void notRead(String none, ConfiguredStart.At ofFirst, SourceHost first) {
        findings.warning(
                START,
                "%s, and the configured start %s is of %s: this host is not read before that one was"
                        .formatted(none, ofFirst.point(), first.login().address()),
                "none if that host can be read at the first start; else configure where to begin at this one (canal.instance.standby.journal.name, which may be"
                        + " latest, .timestamp or .gtid)");
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
        Outcome outcome = check(CURSOR, cursor);
        if (outcome == Outcome.FAILED) {
            return;
        }
        BinlogPosition position = cursor.position();
        int file = isHere && position.isKnown() ? indexOf(position.file()) : -1;
        if (file >= 0) {
            judgeDistance(CURSOR, position, file, outcome);
        } else {
            hasAllAfter(CURSOR, cursor.gtidSet(), outcome);
        }
    }

    private void judgeGtids(String configured) throws IOException {
        hasAllAfter(START, configured, check(START, null));
    }

    private void hasAllAfter(String subject, String gtidSet, Outcome outcome) {
        if (outcome == Outcome.PASSED) {
            findings.ok(subject, "the host has all transactions after " + shortened(gtidSet));
        } else if (outcome == Outcome.UNKNOWN) {
            findings.unknown(
                    subject,
                    "whether the host has all transactions after %s was not found out, see \"%s\""
                            .formatted(shortened(gtidSet), SEARCH),
                    "");
        }
    }

    private void judgePosition(String subject, BinlogPosition position, @Nullable Cursor cursor) throws IOException {
        int file = indexOf(position.file());
        ServerFacts.File last = files.get(files.size() - 1);
        if (file < 0) {
            lost(
                    subject,
                    "%s is gone: the host has the files %s to %s"
                            .formatted(position, files.get(0).name(), last.name()),
                    SourceFailure.PURGED);
        } else {
            Outcome outcome = check(subject, cursor);
            if (outcome != Outcome.FAILED) {
                judgeDistance(subject, position, file, outcome);
            }
        }
    }

    private void judgeDistance(String subject, BinlogPosition position, int index, Outcome outcome) throws IOException {
        long bytes =
                files.stream().skip(index).mapToLong(ServerFacts.File::bytes).sum() - position.offset();
        String evidence = "%s, %d bytes before the end of the binlog".formatted(position, Math.max(0, bytes));
        boolean isNewest = index == files.size() - 1;
        if (retention.kind() == Retention.Kind.AMAZON_AT_ONCE && !isNewest) {
            purgedSoon(subject, evidence + "; its file may be purged at any time");
            return;
        }
        if (retention.period().isZero() || isNewest) {
            notFailed(subject, evidence + (isNewest ? "; its file is the newest, and is not purged" : ""), outcome);
            return;
        }
        long endedMillis = binlog.begunMillis(files.get(index + 1).name());
        Duration left = retention.period().minusMillis(facts.clockMillis() - endedMillis);
        if (left.isNegative()) {
            purgedSoon(subject, evidence + "; its file may be purged at any time");
        } else if (left.compareTo(SOON) < 0) {
            purgedSoon(subject, evidence + "; its file may be purged in about " + Span.of(left));
        } else {
            notFailed(subject, evidence + "; its file may be purged in about " + Span.of(left), outcome);
        }
    }

    /** Reports what is known of a start from which the host can be read, as far as was found out. */
    private void notFailed(String subject, String evidence, Outcome outcome) {
        if (outcome == Outcome.UNKNOWN) {
            findings.unknown(
                    subject,
                    "%s; whether the host can be read from there was not found out, see \"%s\""
                            .formatted(evidence, SEARCH),
                    "");
        } else {
            findings.ok(subject, evidence);
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
                why + ", so this host is read by time",
                cursor);
    }

    private void judgeSince(String subject, Instant time, String what, @Nullable Cursor cursor) throws IOException {
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
            Outcome outcome = check(subject, cursor);
            if (outcome != Outcome.FAILED) {
                notFailed(subject, "%s, from %s on, which the binlog has".formatted(what, time), outcome);
            }
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
