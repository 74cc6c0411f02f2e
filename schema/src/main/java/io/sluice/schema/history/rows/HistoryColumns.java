package io.sluice.schema.history.rows;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns that canal's two tables share, and how their values are read. */
final class HistoryColumns {
    /** The columns of a position, which {@link #position} reads, after the id. */
    static final String POSITION = "id, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, extra";

    /** The rows of one instance; its name is the first value. */
    static final String OF_DESTINATION = " where destination = ?";

    private HistoryColumns() {}

    /**
     * The position of a row or snapshot.
     *
     * @param row begins with the columns {@link #POSITION}
     * @param extra as {@link #extra} reads the last of these
     */
    static HistoryPosition position(@Nullable String[] row, Map<String, String> extra) {
        return new HistoryPosition(
                extra.getOrDefault(HistoryRow.SOURCE, ""),
                text(row[1]),
                number(row[2]),
                text(row[3]),
                number(row[4]),
                extra.getOrDefault(HistoryRow.GTID, ""),
                number(extra, HistoryRow.EPOCH),
                number(extra, HistoryRow.BEGUN));
    }

    /** canal has a word or nothing in this column, Sluice a JSON object. */
    static Map<String, String> extra(@Nullable String extra) {
        if (extra == null || extra.isBlank()) {
            return Map.of();
        }
        try {
            return TextMapJson.read(extra);
        } catch (IllegalArgumentException e) {
            return Map.of(HistoryRow.KIND, extra.strip());
        }
    }

    /** A value; empty if it is null. */
    static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** A number; 0 if it is null. */
    static long number(@Nullable String value) {
        return value == null ? 0 : Long.parseLong(value);
    }

    /** A number of the values for which canal has no column; 0 if there is none. */
    static long number(Map<String, String> extra, String key) {
        try {
            return Long.parseLong(extra.getOrDefault(key, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
