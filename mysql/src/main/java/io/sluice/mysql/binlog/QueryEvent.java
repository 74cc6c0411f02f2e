package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A {@code QUERY_EVENT}: a statement, among them BEGIN, COMMIT and all DDL.
 *
 * <pre>
 *   0           4             8               9            11                   13
 *   +-----------+-------------+---------------+------------+--------------------+-------------+----------+---+-----+
 *   | thread id | duration    | schema length | error code | status vars length | status vars | schema   | 0 | sql |
 *   | u32 LE    | u32 LE, s   | u8            | u16 LE     | u16 LE             | code, value |          |   |     |
 *   +-----------+-------------+---------------+------------+--------------------+-------------+----------+---+-----+
 * </pre>
 *
 * @param threadId the connection on the source
 * @param schemaText the session's default schema, as UTF-8
 * @param clientCollation the id of the collation of {@code character_set_client}; 0 if the event does not say
 * @param connectionCollation the id of the session's {@code collation_connection}, to whose set strings are converted; 0 if the event does not say
 * @param serverCollation the id of the session's {@code collation_server}, by which a new schema gets its default; 0 if the event does not say
 * @param sqlMode the bits of the session's {@code sql_mode}; 0 if the event does not say
 * @param moreStatus the status variables after the character sets
 * @param sql the statement, in the client's character set: the bytes of {@code body} from {@code sqlOffset} to its end
 */
public record QueryEvent(
        long threadId,
        EventBody schemaText,
        int clientCollation,
        int connectionCollation,
        int serverCollation,
        long sqlMode,
        EventBody moreStatus,
        EventBody sql) {
    private static final int STATUS_FLAGS2 = 0;
    private static final int STATUS_SQL_MODE = 1;
    private static final int STATUS_CATALOG = 2;
    private static final int STATUS_AUTO_INCREMENT = 3;
    private static final int STATUS_CHARSET = 4;
    private static final int STATUS_TIME_ZONE = 5;
    private static final int STATUS_CATALOG_NZ = 6;
    private static final int STATUS_TIME_NAMES = 7;
    private static final int STATUS_SCHEMA_CHARSET = 8;
    private static final int STATUS_TABLES_FOR_UPDATE = 9;
    private static final int STATUS_SOURCE_DATA = 10;
    private static final int STATUS_INVOKER = 11;
    private static final int STATUS_SCHEMAS = 12;
    private static final int STATUS_MICROSECONDS = 13;
    private static final int STATUS_EXPLICIT_TIMESTAMPS = 16;
    private static final int STATUS_DDL_XID = 17;
    /** That of MariaDB as of 11.2: a count, and so many pairs of ids, of 2 bytes each. */
    private static final int STATUS_CHARSET_COLLATIONS = 131;

    private static final long BYTES_OF_COLLATIONS = 4;
    private static final int TOO_MANY_SCHEMAS = 254;

    /** Decodes the event without header and checksum. */
    public static QueryEvent decode(EventBody body) {
        long threadId = body.readInt();
        body.skip(4);
        int schemaLength = body.readByte();
        body.skip(2);
        int statusLength = body.readShort();
        EventBody status = body.slice(statusLength);
        EventBody schema = body.slice(schemaLength);
        body.skip(1);
        return withStatus(threadId, schema, status, body.slice(body.remaining()));
    }

    /** The session's default schema; empty if none. */
    public String schema() {
        EventBody text = new EventBody(schemaText.array(), schemaText.offset(), schemaText.end());
        return text.readText(text.remaining(), StandardCharsets.UTF_8);
    }

    /** Returns a copy with the given text of the statement. */
    public QueryEvent withSql(EventBody other) {
        return new QueryEvent(
                threadId,
                schemaText,
                clientCollation,
                connectionCollation,
                serverCollation,
                sqlMode,
                moreStatus,
                other);
    }

    /** All variables before the character sets are passed over: those with lower codes, and one of MariaDB. */
    private static QueryEvent withStatus(long threadId, EventBody schema, EventBody status, EventBody sql) {
        long sqlMode = 0;
        while (status.remaining() > 0) {
            int code = status.readByte();
            switch (code) {
                case STATUS_FLAGS2 -> status.skip(4);
                case STATUS_SQL_MODE -> sqlMode = status.readLong();
                case STATUS_CATALOG -> status.skip(status.readByte() + 1L);
                case STATUS_AUTO_INCREMENT -> status.skip(4);
                case STATUS_TIME_ZONE, STATUS_CATALOG_NZ -> status.skip(status.readByte());
                case STATUS_CHARSET_COLLATIONS -> status.skip(BYTES_OF_COLLATIONS * status.readByte());
                case STATUS_CHARSET -> {
                    int client = status.readShort();
                    int connection = status.remaining() < 2 ? 0 : status.readShort();
                    int server = status.remaining() < 2 ? 0 : status.readShort();
                    return new QueryEvent(threadId, schema, client, connection, server, sqlMode, status, sql);
                }
                default -> {
                    return new QueryEvent(threadId, schema, 0, 0, 0, sqlMode, status.slice(0), sql);
                }
            }
        }
        return new QueryEvent(threadId, schema, 0, 0, 0, sqlMode, status.slice(0), sql);
    }

    /**
     * Whether it is a DDL that MySQL 8.0 or later has executed atomically, as it does with tables of InnoDB that are not temporary: it states the
     * number of its transaction.
     */
    public boolean isAtomicDdl() {
        return valueOf(STATUS_DDL_XID) != null;
    }

    /**
     * The id of the session's {@code collation_database}, if the session has set it to another one than the default of its default schema.
     *
     * @return 0 if it is that default
     */
    public int schemaCollation() {
        EventBody value = valueOf(STATUS_SCHEMA_CHARSET);
        return value == null || value.remaining() < 2 ? 0 : value.readShort();
    }

    /** The rest of the status variables from the value of one on; null if it is not there. */
    private @Nullable EventBody valueOf(int wanted) {
        EventBody status = new EventBody(moreStatus.array(), moreStatus.offset(), moreStatus.end());
        while (status.remaining() > 1) {
            int code = status.readByte();
            if (code == wanted) {
                return status;
            }
            int length = lengthOf(code, status);
            if (length < 0 || length > status.remaining()) {
                return null;
            }
            status.skip(length);
        }
        return null;
    }

    /** The length of a variable after the character sets, without its code; negative if it is not known. */
    private static int lengthOf(int code, EventBody status) {
        return switch (code) {
            case STATUS_TIME_ZONE, STATUS_CATALOG_NZ -> textLength(status, 0);
            case STATUS_TIME_NAMES, STATUS_SCHEMA_CHARSET -> 2;
            case STATUS_TABLES_FOR_UPDATE -> 8;
            case STATUS_SOURCE_DATA -> 4;
            case STATUS_INVOKER -> {
                int user = textLength(status, 0);
                yield user < status.remaining() ? user + textLength(status, user) : -1;
            }
            case STATUS_SCHEMAS -> schemasLength(status);
            case STATUS_MICROSECONDS -> 3;
            case STATUS_EXPLICIT_TIMESTAMPS -> 1;
            default -> -1;
        };
    }

    private static int textLength(EventBody status, int from) {
        return 1 + (status.array()[status.offset() + from] & 0xFF);
    }

    /** The length of a count and as many texts, each with a zero after it. */
    private static int schemasLength(EventBody status) {
        int count = status.array()[status.offset()] & 0xFF;
        int length = 1;
        for (int i = 0; i < count && count != TOO_MANY_SCHEMAS && length < status.remaining(); length++) {
            i += status.array()[status.offset() + length] == 0 ? 1 : 0;
        }
        return length;
    }
}
