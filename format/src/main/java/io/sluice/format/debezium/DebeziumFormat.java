package io.sluice.format.debezium;

import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;

/**
 * JSON in the envelope of Debezium's MySQL connector, without a schema: one message per row.
 *
 * <pre>
 *   {"before":{…}|null,"after":{…}|null,
 *    "source":{"connector","name","ts_ms","snapshot","db","table","server_id","gtid","file","pos","row"},
 *    "op":"c"|"u"|"d","ts_ms":…,"transaction":{"id"}|null}
 * </pre>
 *
 * <p>Columns: numbers and {@code BIT} as numbers, {@code BIT(1)} as a boolean, members of {@code ENUM} and {@code SET} by their names,
 * byte strings in Base64, {@code GEOMETRY} as {@code {"wkb","srid"}}; all else, {@code DECIMAL} and times among it, as the text that
 * flat JSON has. A column that is not in an image is left out. Statements have no message.
 */
public record DebeziumFormat() implements MessageFormat {
    @Override
    public String name() {
        return "debezium";
    }

    @Override
    public Unit unit() {
        return Unit.ROW;
    }

    @Override
    public boolean hasStatements() {
        return false;
    }

    @Override
    public boolean hasExactValues() {
        return true;
    }

    @Override
    public MessageEncoder newEncoder() {
        return new DebeziumEncoder();
    }
}
