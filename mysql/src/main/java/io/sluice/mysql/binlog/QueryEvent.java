package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;

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
 * @param sqlMode the bits of the session's {@code sql_mode}; 0 if the event does not say
 * @param sql the statement, in the client's character set: the bytes of {@code body} from {@code sqlOffset} to its end
 */
public record QueryEvent(long threadId, EventBody schemaText, int clientCollation, long sqlMode, EventBody sql) {
    private static final int STATUS_FLAGS2 = 0;
    private static final int STATUS_SQL_MODE = 1;
    private static final int STATUS_CATALOG = 2;
    private static final int STATUS_AUTO_INCREMENT = 3;
    private static final int STATUS_CHARSET = 4;
    private static final int STATUS_TIME_ZONE = 5;
    private static final int STATUS_CATALOG_NZ = 6;

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

    /** The same with another statement. */
    public QueryEvent withSql(EventBody other) {
        return new QueryEvent(threadId, schemaText, clientCollation, sqlMode, other);
    }

    /** The variables are in the order of their codes, so all before the character sets are passed over. */
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
                case STATUS_CHARSET -> {
                    return new QueryEvent(threadId, schema, status.readShort(), sqlMode, sql);
                }
                default -> {
                    return new QueryEvent(threadId, schema, 0, sqlMode, sql);
                }
            }
        }
        return new QueryEvent(threadId, schema, 0, sqlMode, sql);
    }
}
