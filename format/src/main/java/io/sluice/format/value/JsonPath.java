package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path as MySQL writes it into differences: {@code $.a[3]."b c"[last-1]}, in UTF-8; elements are counted as in the statement.
 *
 * @param legs from the document's root on; none for the root itself
 */
record JsonPath(List<Leg> legs) {
    /**
     * One step down.
     *
     * @param key the member of an object; null for an element of an array
     * @param index the element, from 0
     * @param isFromEnd whether the last element is 0, and the others are counted from it
     */
    @SuppressWarnings("ArrayRecordComponent") // looked up, never compared
    record Leg(byte @Nullable [] key, int index, boolean isFromEnd) {
        static Leg member(byte[] key) {
            return new Leg(key, 0, false);
        }

        /** The element's index, from 0, in an array of that length; negative if there is none. */
        int place(int elements) {
            return index >= elements ? -1 : isFromEnd ? elements - 1 - index : index;
        }

        /** Where an element is inserted into an array of so many. */
        int insertedAt(int elements) {
            return isFromEnd ? Math.max(0, place(elements)) : Math.min(index, elements);
        }
    }

    /** Reads the path in {@code bytes} from {@code from} to {@code to}, exclusive. */
    static JsonPath parse(byte[] bytes, int from, int to) {
        Parser parser = new Parser(bytes, from, to);
        return new JsonPath(parser.path());
    }

    private static final class Parser {
        private static final String LAST = "last";

        private final byte[] bytes;
        private final int to;
        private int at;

        Parser(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.at = from;
            this.to = to;
        }

        List<Leg> path() {
            List<Leg> legs = new ArrayList<>();
            if (next() != '$') {
                throw damaged();
            }
            while (at < to) {
                int start = next();
                if (start == '.') {
                    legs.add(Leg.member(at < to && bytes[at] == '"' ? quotedKey() : plainKey()));
                } else if (start == '[') {
                    legs.add(element());
                } else {
                    throw damaged();
                }
                if (legs.size() > JsonDocument.DEEPEST) {
                    throw damaged();
                }
            }
            return legs;
        }

        private byte[] plainKey() {
            ByteWriter key = new ByteWriter(16);
            while (at < to && bytes[at] != '.' && bytes[at] != '[') {
                key.writeByte(bytes[at++]);
            }
            return key.toByteArray();
        }

        private byte[] quotedKey() {
            at++;
            ByteWriter key = new ByteWriter(16);
            for (int octet = next(); octet != '"'; octet = next()) {
                if (octet == '\\') {
                    escape(key);
                } else {
                    key.writeByte(octet);
                }
            }
            return key.toByteArray();
        }

        private void escape(ByteWriter key) {
            int kind = next();
            switch (kind) {
                case 'b' -> key.writeByte('\b');
                case 'f' -> key.writeByte('\f');
                case 'n' -> key.writeByte('\n');
                case 'r' -> key.writeByte('\r');
                case 't' -> key.writeByte('\t');
                case 'u' -> {
                    // MySQL escapes control characters only.
                    String character = Character.toString(hex() << 12 | hex() << 8 | hex() << 4 | hex());
                    key.write(character.getBytes(StandardCharsets.UTF_8));
                }
                default -> key.writeByte(kind);
            }
        }

        private int hex() {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw damaged();
            }
            return digit;
        }

        private Leg element() {
            if (at == to || bytes[at] != 'l') {
                return new Leg(null, index(), false);
            }
            for (int i = 0; i < LAST.length(); i++) {
                if (next() != LAST.charAt(i)) {
                    throw damaged();
                }
            }
            return switch (next()) {
                case ']' -> new Leg(null, 0, true);
                case '-' -> new Leg(null, index(), true);
                default -> throw damaged();
            };
        }

        private int index() {
            long index = 0;
            int digit = next();
            do {
                if (digit < '0' || digit > '9' || index > Integer.MAX_VALUE / 10) {
                    throw damaged();
                }
                index = 10 * index + digit - '0';
                digit = next();
            } while (digit != ']');
            return (int) Math.min(index, Integer.MAX_VALUE);
        }

        private int next() {
            if (at == to) {
                throw damaged();
            }
            return bytes[at++];
        }

        private static RuntimeException damaged() {
            return JsonDocument.malformed("a difference whose path is none");
        }
    }
}
