package io.sluice.protocol.flat;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change in canal's flat form: the rows of one table that one event changed, or one statement.
 *
 * <p>Values are texts, as MySQL shows them. A byte of a binary column is the character of the same number: {@link #bytes}.
 *
 * @param id the batch that it was fetched with; restarts with the server
 * @param database the schema; empty if there is none
 * @param table the table; empty if there is none
 * @param pkNames the columns of the primary key; empty if there are none in the image
 * @param isDdl whether it is a statement that changed a table schema
 * @param type what was done, such as {@code INSERT}
 * @param es when, in milliseconds since the epoch, to the second
 * @param ts when the message was made, in milliseconds since the epoch
 * @param sql the statement; empty for rows
 * @param sqlType the number in {@code java.sql.Types} of each column
 * @param mysqlType the type of each column as in {@code CREATE TABLE}
 * @param data the rows as they are now, or were last if they were deleted: column to value
 * @param old for updates, what changed columns held before, an object for each row of {@code data}; other
 *     senders may have more or fewer. A null instead of it is read as an empty one
 * @param gtid the executed GTID set; empty unless the server states it
 */
public record FlatMessage(
        long id,
        String database,
        String table,
        List<String> pkNames,
        boolean isDdl,
        String type,
        long es,
        long ts,
        String sql,
        Map<String, Integer> sqlType,
        Map<String, String> mysqlType,
        List<Map<String, @Nullable String>> data,
        List<Map<String, @Nullable String>> old,
        String gtid) {
    /** Without Jackson's limit of 20,000,000 characters for a text: a LONGTEXT may have more, and the broker limits the message. */
    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build()
            .readerFor(Fields.class);

    /** What is in the JSON; unknown keys are passed over. */
    private static final class Fields {
        long id;

        @Nullable String database;

        @Nullable String table;

        @Nullable List<String> pkNames;

        boolean isDdl;

        @Nullable String type;

        long es;
        long ts;

        @Nullable String sql;

        @Nullable Map<String, Integer> sqlType;

        @Nullable Map<String, String> mysqlType;

        @Nullable List<LinkedHashMap<String, @Nullable String>> data;

        @Nullable List<@Nullable LinkedHashMap<String, @Nullable String>> old;

        @Nullable String gtid;
    }

    /**
     * Reads the value of a record.
     *
     * @throws IOException if it is no flat message
     */
    public static FlatMessage read(byte[] json) throws IOException {
        Fields fields = READER.readValue(json);
        if (fields == null) {
            throw new IOException("null is no flat message");
        }
        String type = orEmpty(fields.type);
        if (type.isEmpty()) {
            throw new IOException("a flat message has a type, and this has none; is it of canal.mq.format=debezium?");
        }
        requireNoNull("pkNames", fields.pkNames);
        requireNoNull("sqlType", fields.sqlType == null ? null : fields.sqlType.values());
        requireNoNull("mysqlType", fields.mysqlType == null ? null : fields.mysqlType.values());
        requireNoNull("data", fields.data);
        return new FlatMessage(
                fields.id,
                orEmpty(fields.database),
                orEmpty(fields.table),
                fields.pkNames == null ? List.of() : List.copyOf(fields.pkNames),
                fields.isDdl,
                type,
                fields.es,
                fields.ts,
                orEmpty(fields.sql),
                fields.sqlType == null ? Map.of() : fields.sqlType,
                fields.mysqlType == null ? Map.of() : fields.mysqlType,
                rows(fields.data),
                rows(fields.old),
                orEmpty(fields.gtid));
    }

    private static void requireNoNull(String field, @Nullable Collection<?> values) throws IOException {
        if (values != null && values.stream().anyMatch(Objects::isNull)) {
            throw new IOException("a flat message has no null in %s, and this has one".formatted(field));
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static List<Map<String, @Nullable String>> rows(
            @Nullable List<? extends @Nullable Map<String, @Nullable String>> rows) {
        if (rows == null) {
            return List.of();
        }
        List<Map<String, @Nullable String>> read = new ArrayList<>(rows.size());
        rows.forEach(row -> read.add(row == null ? Map.of() : row));
        return read;
    }

    /** The bytes of a value of a binary column. */
    public static byte[] bytes(String value) {
        return Objects.requireNonNull(value).getBytes(StandardCharsets.ISO_8859_1);
    }
}
