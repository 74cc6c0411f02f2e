package io.sluice.schema.history.database;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;

/** Reads the statements out of the rows of H2's table of definitions. Its columns are: id, head, type, statement. */
final class H2StatementRows extends H2PageType<String> {
    private static final int NUMBERS = 3;

    private static final int NULL = 0;
    private static final int INTEGER = 4;
    private static final int TEXT = 13;
    /** The first of 16 numbers that have no other bytes. */
    private static final int SMALL_INTEGER = 32;

    private static final int SMALL = 16;
    private static final int NEGATIVE_INTEGER = 66;
    /** Of the empty text; up to 31 characters are added to it. */
    private static final int SHORT_TEXT = 68;

    private static final int SHORT = 32;

    /** The statement; an empty text if it is null. */
    @Override
    public String read(ByteBuffer buffer) {
        for (int i = 0; i < NUMBERS; i++) {
            skipNumber(buffer);
        }
        return statement(buffer);
    }

    private static void skipNumber(ByteBuffer buffer) {
        int type = Byte.toUnsignedInt(buffer.get());
        if (type == INTEGER || type == NEGATIVE_INTEGER) {
            DataUtils.readVarInt(buffer);
        } else if (type != NULL && (type < SMALL_INTEGER || type >= SMALL_INTEGER + SMALL)) {
            throw unexpected(type);
        }
    }

    private static String statement(ByteBuffer buffer) {
        int type = Byte.toUnsignedInt(buffer.get());
        if (type == NULL) {
            return "";
        }
        if (type == TEXT) {
            return text(buffer);
        }
        if (type >= SHORT_TEXT && type < SHORT_TEXT + SHORT) {
            return text(buffer, type - SHORT_TEXT);
        }
        throw unexpected(type);
    }

    private static IllegalArgumentException unexpected(int type) {
        return new IllegalArgumentException("its table of definitions has a value of type " + type);
    }
}
