package io.sluice.schema.definition;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of an {@code ENUM} or {@code SET} in a statement. A member is a string, or a hexadecimal or bit literal: {@code 0x61},
 * {@code x'61'}, {@code 0b1100001} or {@code b'1100001'}, or a string of a session whose strings have no character set, whose bytes are a text in the character set of the column.
 */
record MemberList(List<Member> members) {
    private static final Pattern HEX = Pattern.compile("0x([0-9a-fA-F]+)");
    private static final Pattern BITS = Pattern.compile("0b([01]+)");

    MemberList {
        members = List.copyOf(members);
    }

    /** A member as it is written. */
    private sealed interface Member {
        String text(@Nullable String charset) throws UnreadableSqlException;
    }

    private record Text(String text) implements Member {
        @Override
        public String text(@Nullable String charset) {
            return text;
        }
    }

    /** A string whose bytes are a text in the character set of the column; the text as it is written if that set is not known. */
    private record TextOfBytes(String text) implements Member {
        @Override
        public String text(@Nullable String charset) throws UnreadableSqlException {
            return charset == null ? text : bytesOf(text).text(charset);
        }
    }

    /** The bytes of a literal, two hexadecimal digits each. */
    private record Bytes(String hex) implements Member {
        @Override
        public String text(@Nullable String charset) throws UnreadableSqlException {
            byte[] bytes = HexFormat.of().parseHex(hex);
            if (charset == null) {
                return asciiText(bytes);
            }
            if (charset.equals("binary")) {
                String utf8 = utf8Text(bytes);
                return utf8 == null ? new String(bytes, StandardCharsets.ISO_8859_1) : utf8;
            }
            TextDecoder decoder = MySqlCharsets.decoder(charset);
            if (decoder == null) {
                throw new UnreadableSqlException("a member is in the unknown character set " + charset);
            }
            byte[] aligned = aligned(bytes, MySqlCharsets.shortestCharacter(charset));
            ByteWriter utf8 = new ByteWriter(Math.max(16, 3 * aligned.length));
            decoder.decode(aligned, 0, aligned.length, utf8);
            return new String(utf8.array(), 0, utf8.size(), StandardCharsets.UTF_8);
        }

        private static String asciiText(byte[] bytes) throws UnreadableSqlException {
            for (byte b : bytes) {
                if (b < 0) {
                    throw new UnreadableSqlException(
                            "a member is a literal of bytes in a character set that is not known");
                }
            }
            return new String(bytes, StandardCharsets.US_ASCII);
        }

        /** The text if the bytes are UTF-8, else null. */
        private static @Nullable String utf8Text(byte[] bytes) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (CharacterCodingException e) {
                return null;
            }
        }

        /** Zero bytes are put in front where all characters take several bytes. */
        private static byte[] aligned(byte[] bytes, int unit) {
            int missing = (unit - bytes.length % unit) % unit;
            byte[] aligned = new byte[missing + bytes.length];
            System.arraycopy(bytes, 0, aligned, missing, bytes.length);
            return aligned;
        }
    }

    /** Reads the list with its parentheses. */
    static MemberList parse(TokenCursor cursor) throws UnreadableSqlException {
        List<Member> members = new ArrayList<>();
        cursor.expectSign('(');
        do {
            members.add(member(cursor));
        } while (cursor.acceptSign(','));
        cursor.expectSign(')');
        return new MemberList(members);
    }

    private static Member member(TokenCursor cursor) throws UnreadableSqlException {
        Token token = cursor.next();
        if (token.isString()) {
            return cursor.hasBytesForStrings() ? new TextOfBytes(token.text()) : new Text(token.text());
        }
        if (token.isWord("x") && cursor.peek().kind() == Kind.STRING) {
            return bytesOfHex(cursor.next().text());
        }
        if (token.isWord("b") && cursor.peek().kind() == Kind.STRING) {
            return bytesOfBits(cursor.next().text());
        }
        if (HEX.matcher(token.text()).matches()) {
            return bytesOfHex(token.text().substring(2));
        }
        if (BITS.matcher(token.text()).matches()) {
            return bytesOfBits(token.text().substring(2));
        }
        throw new UnreadableSqlException("expected a member, found '%s'".formatted(token.shown()));
    }

    private static Bytes bytesOf(String text) {
        return new Bytes(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Bytes bytesOfHex(String digits) throws UnreadableSqlException {
        String hex = digits.length() % 2 == 0 ? digits : "0" + digits;
        if (!hex.chars().allMatch(HexFormat::isHexDigit)) {
            throw new UnreadableSqlException("a member is not a hexadecimal literal");
        }
        return new Bytes(hex);
    }

    private static Bytes bytesOfBits(String digits) throws UnreadableSqlException {
        if (!digits.chars().allMatch(c -> c == '0' || c == '1')) {
            throw new UnreadableSqlException("a member is not a bit literal");
        }
        String padding = "0".repeat((8 - digits.length() % 8) % 8);
        String hex = new BigInteger("1" + padding + digits, 2).toString(16);
        return new Bytes(hex.substring(1));
    }

    /**
     * The list as the server shows it, with its parentheses: strings, in which quotes are doubled.
     *
     * @param charset the column's character set; null if it is not known
     * @throws UnreadableSqlException if it has to be known
     */
    String text(@Nullable String charset) throws UnreadableSqlException {
        StringJoiner text = new StringJoiner(",", "(", ")");
        for (Member member : members) {
            text.add("'" + member.text(charset).replace("'", "''") + "'");
        }
        return text.toString();
    }
}
