package io.sluice.format.value;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.UserVarEvent;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The values of user variables, as canal writes them into SQL: strings in quotes, with nothing in them escaped. */
public final class VariableText {
    private static final String BINARY = "binary";

    private VariableText() {}

    /**
     * The text of a value.
     *
     * @param value null for NULL
     * @throws MalformedEventException if its bytes cannot be a value of its type
     */
    public static String of(UserVarEvent.@Nullable Value value) {
        if (value == null) {
            return "NULL";
        }
        EventBody bytes = value.bytes();
        return switch (value.type()) {
            case UserVarEvent.STRING -> "'" + string(bytes, value.collation()) + "'";
            case UserVarEvent.REAL -> {
                ByteWriter out = new ByteWriter(24);
                FloatingType.writeDouble(Double.longBitsToDouble(bytes.readLong()), out);
                yield text(out);
            }
            case UserVarEvent.INT -> {
                long number = bytes.readLong();
                yield value.unsigned() ? Long.toUnsignedString(number) : Long.toString(number);
            }
            case UserVarEvent.DECIMAL -> decimal(bytes);
            default -> throw new MalformedEventException("a user variable of the unknown type " + value.type());
        };
    }

    private static String string(EventBody bytes, int collation) {
        String charset = MySqlCharsets.charsetOf(MySqlCharsets.padded(collation));
        if (BINARY.equals(charset)) {
            String text = bytes.readText(bytes.remaining(), StandardCharsets.ISO_8859_1);
            int nul = text.indexOf('\0'); // canal's texts end there
            return nul < 0 ? text : text.substring(0, nul);
        }
        TextDecoder decoder = charset == null ? null : MySqlCharsets.decoder(charset);
        if (decoder == null) {
            return bytes.readText(bytes.remaining(), StandardCharsets.UTF_8);
        }
        ByteWriter out = new ByteWriter(Math.max(16, bytes.remaining()));
        decoder.decode(bytes.array(), bytes.offset(), bytes.remaining(), out);
        return text(out);
    }

    private static String decimal(EventBody bytes) {
        int precision = bytes.readByte();
        int scale = bytes.readByte();
        DecimalType type = new DecimalType(precision, scale, true);
        EventBody digits = bytes.slice(type.fixedLength());
        ByteWriter out = new ByteWriter(80);
        type.writeText(digits.array(), digits.offset(), type.fixedLength(), out);
        return text(out);
    }

    private static String text(ByteWriter utf8) {
        return new String(utf8.array(), 0, utf8.size(), StandardCharsets.UTF_8);
    }
}
