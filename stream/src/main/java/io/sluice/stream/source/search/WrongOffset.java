package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Adds to the failure of an offset that is within an event what to do if the position is one of another server: its files have nothing in common with these. */
final class WrongOffset {
    private static final String IF_OTHER =
            "if the position is of another server, as after a fail-over behind one address, ";
    private static final String RESTART =
            " --restart (if the server has ended: without --restart, then bin/startup.sh)";

    private WrongOffset() {}

    /** Of a cursor that does not tell of which server it is, or may be of another one. */
    static SourceException ofAnyServer(SourceException wrong, Cursor cursor, Duration fallback) {
        if (wrong.failure() == SourceFailure.PURGED) {
            return wrong;
        }
        boolean isTimeKnown = cursor.timestampMillis() > 0;
        String time = isTimeKnown
                ? Instant.ofEpochMilli(cursor.timestampMillis())
                        .minus(fallback)
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                : "T";
        return withRemedy(
                wrong,
                "%scontinue by time, so that some changes come again: sluice.sh cursor set DESTINATION --time %s%s%s; else %s"
                        .formatted(
                                IF_OTHER,
                                time,
                                RESTART,
                                isTimeKnown ? "" : ", where T is before the last change that was delivered",
                                wrong.remedy()));
    }

    /** Of a cursor that is probably one of another server, and from whose time on this server cannot be read. */
    static SourceException beforeBinlog(SourceException wrong, SourceException notByTime) {
        return new SourceException(
                wrong.failure(),
                wrong.getMessage() + "; nor can it be read by time: " + notByTime.getMessage(),
                "%sload the tables again, and continue at the oldest position: sluice.sh cursor set DESTINATION --to oldest%s; else %s"
                        .formatted(IF_OTHER, RESTART, wrong.remedy()),
                notByTime);
    }

    /** Of a configured position. */
    static SourceException configured(SourceException wrong) {
        return withRemedy(
                wrong,
                "%sset canal.instance.master.timestamp without journal.name and position; else %s"
                        .formatted(IF_OTHER, wrong.remedy()));
    }

    private static SourceException withRemedy(SourceException wrong, String remedy) {
        return new SourceException(wrong.failure(), String.valueOf(wrong.getMessage()), remedy, wrong);
    }
}
