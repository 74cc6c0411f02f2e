package io.sluice.parse.wire;

import java.util.regex.Pattern;

/** The transactions that a replica has already, from which the server finds the place in its binlogs to go on from. */
public sealed interface KnownTransactions {
    /** For a MySQL: a GTID set in the binary form of {@code COM_BINLOG_DUMP_GTID}. */
    final class MySqlSet implements KnownTransactions {
        private final byte[] encoded;

        /** @param encoded is copied */
        public MySqlSet(byte[] encoded) {
            this.encoded = encoded.clone();
        }

        byte[] encoded() {
            return encoded;
        }
    }

    /**
     * For a MariaDB: the last transaction of each domain.
     *
     * @param text such as {@code 0-1-42,5-2-7}; empty for none, so from the oldest binlog on
     */
    record MariaDbPosition(String text) implements KnownTransactions {
        private static final Pattern POSITION = Pattern.compile("[0-9,-]*");

        /** @throws IllegalArgumentException if the text holds anything but numbers and what separates them */
        public MariaDbPosition {
            if (!POSITION.matcher(text).matches()) {
                throw new IllegalArgumentException("no GTID position of MariaDB: " + text);
            }
        }
    }
}
