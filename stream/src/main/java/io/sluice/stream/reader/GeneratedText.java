package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.Token;
import io.sluice.stream.event.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes a {@code CREATE TABLE} that a server has written itself, in place of the client's, in the row format: it is UTF-8, whatever the event states as the
 * client's character set.
 *
 * <p>It has the layout of {@code SHOW CREATE TABLE}. That for {@code CREATE TABLE .. SELECT} is in the transaction of the rows, or ends with {@code START
 * TRANSACTION}, as of MySQL 8.0.21; that for {@code CREATE TABLE .. LIKE} of a temporary table is flagged as a use of temporary tables.
 */
final class GeneratedText {
    private static final byte[] BEGIN = "CREATE TABLE ".getBytes(StandardCharsets.US_ASCII);
    private static final String OF_QUERY = " START TRANSACTION";
    private static final String LAYOUT = "` (\n  `";

    private GeneratedText() {}

    /**
     * Decodes a statement if the server has written it itself.
     *
     * @param event the event that has it
     * @param query what it states; the bytes of its statement stay as they are
     * @return null if it is the client's text
     */
    static @Nullable String of(Event event, QueryEvent query) {
        EventBody sql = query.sql();
        String text = beginsLikeOne(sql) ? utf8(sql) : null;
        if (text == null || !text.contains(LAYOUT)) {
            return null;
        }
        boolean isOfQuery = text.endsWith(OF_QUERY);
        boolean mayBe = event.usesTemporary() || event.step() == Step.WITHIN;
        return isOfQuery || mayBe && !hasQuery(text, SqlMode.ofBits(query.sqlMode())) ? text : null;
    }

    /** Whether it has the word SELECT, and not only in a name, a text or a comment. */
    private static boolean hasQuery(String text, SqlMode mode) {
        SqlLexer lexer = new SqlLexer(text, SourceTraits.DEFAULT, mode);
        Token token = lexer.next();
        while (token.kind() != Token.Kind.END && !token.isWord("SELECT")) {
            token = lexer.next();
        }
        return token.kind() != Token.Kind.END;
    }

    private static boolean beginsLikeOne(EventBody sql) {
        if (sql.remaining() < BEGIN.length) {
            return false;
        }
        for (int i = 0; i < BEGIN.length; i++) {
            if (sql.array()[sql.offset() + i] != BEGIN[i]) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String utf8(EventBody sql) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(sql.array(), sql.offset(), sql.remaining()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
