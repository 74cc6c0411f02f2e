package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.table.SchemaHeap;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTextTest {
    private static final HistorySnapshot SNAPSHOT = new HistorySnapshot(7, HistoryPosition.first("uuid-a"), null, 0, 0);

    private static final long UNLIMITED = Long.MAX_VALUE;

    /** Texts around the size of a piece, with characters that are two in Java. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "abc",
                "abcd",
                "abcdefgh",
                "ab\ud83d\ude00c\ud83d\ude00efg",
                "\u4e2d\u6587\u4e2d\u6587\u4e2d"
            })
    void putsPiecesTogether(String text) throws IOException {
        Pieces database = new Pieces(text);

        assertThat(read(text(database, 4, UNLIMITED))).isEqualTo(text);
        assertThat(database.longest).isLessThanOrEqualTo(4);
    }

    @Test
    void endsATextThatDoesNotEnd() {
        Pieces endless = new Pieces(null);

        assertThatExceptionOfType(ResultTooLargeException.class)
                .isThrownBy(() -> read(text(endless, 1_000, 5 * 5_000)))
                .withMessageStartingWith("its tables need about ")
                .withMessageContaining(" of heap, and there are 0 MiB for them: do this; raise -Xmx to ");
    }

    /** Java keeps all of a text with two bytes for each character if one of them needs two. */
    @ParameterizedTest
    @ValueSource(ints = {0, 999, 2_000, 2_499})
    void aTextWithOneWideCharacterTakesTwiceAsMuch(int at) throws IOException {
        String narrow = "\u00e9".repeat(2_500);
        String wide = narrow.substring(0, at) + "\u4e2d" + narrow.substring(at + 1);

        assertThat(read(text(new Pieces(narrow), 1_000, 5 * 5_000 - 1))).isEqualTo(narrow);
        assertThatExceptionOfType(ResultTooLargeException.class)
                .isThrownBy(() -> read(text(new Pieces(wide), 1_000, 5 * 5_000 - 1)));
        assertThat(read(text(new Pieces(wide), 1_000, 5 * 5_000))).isEqualTo(wide);
    }

    private static SnapshotText text(HistoryDatabase database, int pieceChars, long limit) {
        return new SnapshotText(database, 7, pieceChars, new SchemaHeap(limit).step("its tables", "do this; ", true));
    }

    /** That has nothing to do with the server of the schema history. */
    @Test
    void theRemedyForOneThatIsTooLargeForTheHeapIsMoreHeap() {
        HistoryDatabase large = new Pieces("{\"shop\":\"" + "x".repeat(10 << 20) + "\"}");

        SourceException failure = catchThrowableOfType(
                SourceException.class,
                () -> new SnapshotRows(large, "shop", null).state(SNAPSHOT, new SchemaHeap(5 << 20)));

        assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
        assertThat(failure)
                .hasMessage("the schema history pieces cannot be restored: its tables need about 96 MiB"
                        + " of heap, and there are 5 MiB for them");
        assertThat(failure.remedy())
                .isEqualTo(
                        "see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, raise -Xmx to 160m");
    }

    @Test
    void aSnapshotThatIsRemovedMeanwhileIsGone() throws IOException {
        Pieces database = new Pieces("x".repeat(100));
        SnapshotText text = text(database, 10, UNLIMITED);
        assertThat(text.read()).isEqualTo('x');
        database.isGone = true;

        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> read(text))
                .withMessageContaining(
                        "is gone: another process removed it while it was read, or another server answers")
                .satisfies(e -> assertThat(e.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE));
    }

    /** Over another connection another server may answer. */
    @Test
    void piecesOfSeveralConnectionsAreNotPutTogether() throws IOException {
        Pieces database = new Pieces("x".repeat(100));
        SnapshotText text = text(database, 10, UNLIMITED);
        database.connections++; // before the first piece
        assertThat(text.read()).isEqualTo('x');
        database.connections++;

        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> read(text))
                .withMessage("the connection to the schema history pieces broke while a snapshot was read")
                .satisfies(e -> assertThat(e.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE));
    }

    private static String read(Reader text) throws IOException {
        StringWriter all = new StringWriter();
        text.transferTo(all);
        return all.toString();
    }

    /** Has one snapshot with a text; null is a text that does not end. */
    private static final class Pieces implements HistoryDatabase {
        private final @Nullable String text;
        private int longest;
        private boolean isGone;
        private long connections;

        Pieces(@Nullable String text) {
            this.text = text;
        }

        @Override
        public List<@Nullable String[]> query(String sql, Object... values) {
            if (isGone) {
                return Collections.emptyList();
            }
            if (sql.startsWith("select extra")) {
                return Collections.singletonList(new @Nullable String[] {null});
            }
            if (sql.startsWith("select length")) {
                String known = text;
                return Collections.singletonList(
                        new @Nullable String[] {known == null ? "0" : Integer.toString(known.length())});
            }
            int chars = ((Number) values[1]).intValue();
            String all = text;
            String piece;
            if (all == null) {
                String begin = values[0].equals(1L) ? "{\"shop\":\"" : "";
                piece = begin + "x".repeat(chars - begin.length());
            } else {
                int[] characters = all.codePoints().toArray();
                int from = Math.min(characters.length, ((Number) values[0]).intValue() - 1);
                int until = Math.min(characters.length, from + chars);
                longest = Math.max(longest, until - from);
                piece = new String(characters, from, until - from);
            }
            return Collections.singletonList(new @Nullable String[] {piece});
        }

        @Override
        public void update(String sql, Object... values) {}

        @Override
        public void atomically(Changes changes) {}

        @Override
        public void createIndex(String name, String table, String columns) {}

        @Override
        public boolean hasColumn(String table, String column) {
            return true;
        }

        @Override
        public void addColumn(String table, String column, String type) {}

        @Override
        public void adaptTables() {}

        @Override
        public String idType() {
            return "";
        }

        @Override
        public String tableOptions() {
            return "";
        }

        @Override
        public String insertUnlessThere() {
            return "";
        }

        @Override
        public String forUpdate() {
            return "";
        }

        @Override
        public long connections() {
            return connections;
        }

        @Override
        public String location() {
            return "pieces";
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
