package io.sluice.schema.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.history.database.HistoryDatabase;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTextTest {
    private static final HistorySnapshot SNAPSHOT = new HistorySnapshot(7, HistoryPosition.first("uuid-a"), null, 0, 0);

    private static final ResultLimit UNLIMITED = new ResultLimit(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO, "");

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

        assertThat(read(new SnapshotText(database, 7, 4, UNLIMITED))).isEqualTo(text);
        assertThat(database.longest).isLessThanOrEqualTo(4);
    }

    @Test
    void endsATextThatDoesNotEnd() {
        Pieces endless = new Pieces("x".repeat(10_000));
        ResultLimit limit = new ResultLimit(5_000, Long.MAX_VALUE, Duration.ZERO, "do this");

        assertThatExceptionOfType(ResultTooLargeException.class)
                .isThrownBy(() -> read(new SnapshotText(endless, 7, 1_000, limit)))
                .withMessage("its text exceeds the limit of 5000 bytes of heap, with 5 rows so far: do this");
    }

    /** Java keeps all of a text with two bytes for each character if one of them needs two. */
    @ParameterizedTest
    @ValueSource(ints = {0, 999, 2_000, 2_499})
    void aTextWithOneWideCharacterTakesTwiceAsMuch(int at) throws IOException {
        String narrow = "\u00e9".repeat(2_500);
        String wide = narrow.substring(0, at) + "\u4e2d" + narrow.substring(at + 1);
        ResultLimit limit = limitOf(5_000 - 1);

        assertThat(read(new SnapshotText(new Pieces(narrow), 7, 1_000, limit))).isEqualTo(narrow);
        assertThatExceptionOfType(ResultTooLargeException.class)
                .isThrownBy(() -> read(new SnapshotText(new Pieces(wide), 7, 1_000, limit)))
                .withMessageContaining("its text exceeds the limit of 4999 bytes of heap");
        assertThat(read(new SnapshotText(new Pieces(wide), 7, 1_000, limitOf(5_000 + 3 * 48))))
                .isEqualTo(wide);
    }

    private static ResultLimit limitOf(long bytes) {
        return new ResultLimit(bytes, Long.MAX_VALUE, Duration.ZERO, "do this");
    }

    /** That has nothing to do with the server of the schema history. */
    @Test
    void theRemedyForOneThatIsTooLargeForTheHeapIsMoreHeap() {
        HistoryDatabase endless = new Pieces(null);
        ResultLimit limit = new ResultLimit(5_000, Long.MAX_VALUE, Duration.ZERO, ResultLimit.SNAPSHOT.remedy());

        SourceException failure = catchThrowableOfType(
                SourceException.class,
                () -> new SnapshotRows(endless, "shop", null)
                        .state(SNAPSHOT, new SnapshotText(endless, 7, 1_000, limit)));

        assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
        assertThat(failure)
                .hasMessage("a snapshot of the schema history pieces cannot be read: its text exceeds the limit of 5000"
                        + " bytes of heap, with 5 rows so far");
        assertThat(failure.remedy())
                .isEqualTo(
                        "see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, raise -Xmx");
    }

    @Test
    void aSnapshotThatIsRemovedMeanwhileIsGone() throws IOException {
        Pieces database = new Pieces("x".repeat(100));
        SnapshotText text = new SnapshotText(database, 7, 10, UNLIMITED);
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
        SnapshotText text = new SnapshotText(database, 7, 10, UNLIMITED);
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
                return List.of();
            }
            if (sql.startsWith("select extra")) {
                return Collections.singletonList(new @Nullable String[] {null});
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
            List<@Nullable String[]> rows = new ArrayList<>();
            rows.add(new String[] {piece});
            return rows;
        }

        @Override
        public void update(String sql, Object... values) {}

        @Override
        public void atomically(Changes changes) {}

        @Override
        public void createIndex(String name, String table, String columns) {}

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
