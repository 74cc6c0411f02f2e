package io.sluice.mysql.binlog;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the fields of a table map that are there with {@code binlog_row_metadata=FULL} only.
 *
 * <pre>
 *   names        per column: len, UTF-8
 *   set, enum    per column of that type: count, and count × (len, text in the column's character set)
 *   geometry     per GEOMETRY column: its kind
 *   key          the indexes of the key's columns; where parts of columns are meant, each with a length after it
 *   charsets     of the ENUM and SET columns: one collation, and pairs of (column among those, collation); or one for each
 * </pre>
 *
 * <p>All numbers are length-encoded. Source: MySQL's internals documentation, "Table_map_event".
 */
final class FullMetadataDecoder {
    /** The character set of columns whose members are bytes. */
    private static final String BINARY = "binary";

    private static final int NAMES = 4;
    private static final int SET_MEMBERS = 5;
    private static final int ENUM_MEMBERS = 6;
    private static final int GEOMETRY_TYPES = 7;
    private static final int SIMPLE_KEY = 8;
    private static final int KEY_WITH_PREFIXES = 9;
    private static final int MEMBER_DEFAULT_CHARSET = 10;
    private static final int MEMBER_CHARSETS = 11;

    private final int[] types;
    private final boolean mariaDb;
    private final boolean[] keys;
    private final int[] geometries;
    private final int[] collations;
    private @Nullable List<String> names;
    private @Nullable EventBody setMembers;
    private @Nullable EventBody enumMembers;

    FullMetadataDecoder(int[] types, boolean mariaDb) {
        this.types = types;
        this.mariaDb = mariaDb;
        this.keys = new boolean[types.length];
        this.geometries = new int[types.length];
        this.collations = new int[types.length];
    }

    void accept(int field, EventBody value) {
        switch (field) {
            case NAMES -> names = names(value);
            case SET_MEMBERS -> setMembers = value;
            case ENUM_MEMBERS -> enumMembers = value;
            case GEOMETRY_TYPES -> geometries(value);
            case SIMPLE_KEY -> key(value, false);
            case KEY_WITH_PREFIXES -> key(value, true);
            case MEMBER_DEFAULT_CHARSET -> defaultCharset(value);
            case MEMBER_CHARSETS -> charsets(value);
            default -> {
                // says nothing about table schemas
            }
        }
    }

    /** All of it; null if the event names no columns. */
    @Nullable FullMetadata decode() {
        List<String> known = names;
        return known == null ? null : new FullMetadata(known, keys, members(), geometries);
    }

    private List<String> names(EventBody value) {
        List<String> texts = new ArrayList<>(types.length);
        while (value.remaining() > 0) {
            texts.add(value.readText(value.readPackedLong(), StandardCharsets.UTF_8));
        }
        if (texts.size() != types.length) {
            throw new MalformedEventException(
                    "a table map has %d columns and %d names".formatted(types.length, texts.size()));
        }
        return List.copyOf(texts);
    }

    private void geometries(EventBody value) {
        for (int i = 0; i < types.length && value.remaining() > 0; i++) {
            if (types[i] == ColumnCode.GEOMETRY) {
                geometries[i] = (int) Math.min(value.readPackedLong(), Integer.MAX_VALUE);
            }
        }
    }

    private void key(EventBody value, boolean withPrefixes) {
        while (value.remaining() > 0) {
            long column = value.readPackedLong();
            if (column < 0 || column >= types.length) {
                throw new MalformedEventException(
                        "the key of a table map has column %d of %d".formatted(column, types.length));
            }
            keys[(int) column] = true;
            if (withPrefixes) {
                value.readPackedLong();
            }
        }
    }

    private static boolean hasMembers(int type) {
        return type == ColumnCode.ENUM || type == ColumnCode.SET;
    }

    private void defaultCharset(EventBody value) {
        int usual = collation(value, mariaDb);
        int[] columnOf = new int[types.length];
        int count = 0;
        for (int i = 0; i < types.length; i++) {
            if (hasMembers(types[i])) {
                collations[i] = usual;
                columnOf[count++] = i;
            }
        }
        while (value.remaining() > 0) {
            long index = value.readPackedLong();
            if (index < 0 || index >= count) {
                throw new MalformedEventException(
                        "a table map gives a collation to column %d of %d with members".formatted(index, count));
            }
            collations[columnOf[(int) index]] = collation(value, mariaDb);
        }
    }

    private void charsets(EventBody value) {
        for (int i = 0; i < types.length && value.remaining() > 0; i++) {
            if (hasMembers(types[i])) {
                collations[i] = collation(value, mariaDb);
            }
        }
    }

    static int collation(EventBody value, boolean mariaDb) {
        int id = (int) Math.min(value.readPackedLong(), Integer.MAX_VALUE);
        return mariaDb ? MySqlCharsets.padded(id) : id;
    }

    private List<@Nullable List<String>> members() {
        List<@Nullable List<String>> members = new ArrayList<>(Collections.nCopies(types.length, null));
        for (int i = 0; i < types.length; i++) {
            EventBody from = types[i] == ColumnCode.SET ? setMembers : types[i] == ColumnCode.ENUM ? enumMembers : null;
            if (from != null && from.remaining() > 0) {
                members.set(i, members(from, collations[i]));
            }
        }
        return members;
    }

    private static List<String> members(EventBody from, int collation) {
        long count = from.readPackedLong();
        if (count < 0 || count > from.remaining()) {
            throw new MalformedEventException("a table map has a column with %d members".formatted(count));
        }
        String charset = MySqlCharsets.charsetOf(collation);
        TextDecoder decoder = charset == null ? null : MySqlCharsets.decoder(charset);
        List<String> texts = new ArrayList<>((int) count);
        for (long i = 0; i < count; i++) {
            EventBody text = from.slice(from.readPackedLong());
            if (decoder == null
                    || BINARY.equals(charset) && isUtf8(text)) { // as in the server's own texts of such columns
                texts.add(text.readText(text.remaining(), StandardCharsets.UTF_8));
            } else {
                ByteWriter utf8 = new ByteWriter(Math.max(16, text.remaining()));
                decoder.decode(text.array(), text.offset(), text.remaining(), utf8);
                texts.add(new String(utf8.array(), 0, utf8.size(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private static boolean isUtf8(EventBody text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text.array(), text.offset(), text.remaining()));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
