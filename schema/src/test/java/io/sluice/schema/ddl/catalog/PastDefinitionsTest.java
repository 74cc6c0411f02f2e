package io.sluice.schema.ddl.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.SchemaTexts;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PastDefinitionsTest {
    private static final TableName T = new TableName("shop", "t");
    private static final EventPosition AT = new EventPosition("binlog.000001", 4, 10, 1, 0, null);
    private static final String THREE = "CREATE TABLE `t` (`a` int, `b` int, `c` int)";

    /** A source that shows a table, once for each query if there are several texts, and which columns DDL adds later. */
    private static final class Source implements TableDefinitions {
        private final Deque<String> texts = new ArrayDeque<>();
        private @Nullable List<String> added = List.of();
        private boolean isSequence;
        private int queries;
        private int searches;

        @Override
        public @Nullable String createStatement(TableName table) {
            queries++;
            return texts.size() > 1 ? texts.remove() : texts.peek();
        }

        @Override
        public @Nullable List<String> addedAfter(TableName table, EventPosition event) {
            searches++;
            return added;
        }

        @Override
        public boolean wasSequence(TableName name, EventPosition event, boolean isGone) {
            searches++;
            return isSequence;
        }
    }

    private final Source source = new Source();
    private @Nullable String recorded;

    private PastDefinitions definitions(SourceTraits traits) {
        SchemaRecorder recorder = new SchemaRecorder() {
            @Override
            public @Nullable String recall(EventPosition at, TableName table) {
                return recorded;
            }
        };
        return new PastDefinitions(source, traits, recorder, new SchemaCharsets(source, traits), new SchemaCounts());
    }

    private final PastDefinitions past = definitions(SourceTraits.DEFAULT);

    @Test
    void aRecordedDefinitionCountsMoreThanThatOfTheSource() throws IOException {
        recorded = "CREATE TABLE `t` (`a` int)";
        source.texts.add(THREE);

        PastDefinition definition = past.recallOrRead(T, AT);

        assertThat(SchemaTexts.text(definition.table())).isEqualTo("a int");
        assertThat(definition.isRecorded()).isTrue();
        assertThat(source.queries).isZero();
        assertThat(past.recall(T, null))
                .as("nothing is recorded without an event")
                .isNull();
    }

    @Test
    void theDefinitionOfTheSourceIsTakenIfNoneIsRecorded() throws IOException {
        source.texts.add(THREE);

        PastDefinition definition = past.recallOrRead(T, AT);

        assertThat(definition.createStatement()).isEqualTo(THREE);
        assertThat(definition.isRecorded()).isFalse();
    }

    @Test
    void columnsThatDdlAddsLaterAreRemoved() throws IOException {
        source.texts.add(THREE);
        source.added = List.of("C");

        PastDefinition definition = past.read(T, AT, present -> true);

        assertThat(SchemaTexts.text(definition.table())).isEqualTo("a int, b int");
        assertThat(definition.createStatement()).doesNotContain("`c`");
    }

    @Test
    void theDefinitionIsReadAgainIfAnAddedColumnIsMissingInIt() throws IOException {
        source.texts.add("CREATE TABLE `t` (`a` int, `b` int)");
        source.texts.add(THREE);
        source.added = List.of("c");

        assertThat(SchemaTexts.text(past.read(T, AT, present -> true).table())).isEqualTo("a int, b int");
        assertThat(source.queries).isEqualTo(2);
    }

    @Test
    void thereIsNoDefinitionIfDdlChangesTheTableOtherwiseLater() throws IOException {
        source.texts.add(THREE);
        source.added = null;

        assertThat(past.read(T, AT, present -> true)).isNull();
    }

    @Test
    void theBinlogIsNotSearchedForATableThatCannotFit() throws IOException {
        source.texts.add(THREE);

        assertThat(past.read(T, AT, present -> present.columns().size() < 3)).isNull();
        assertThat(past.read(T, null, present -> true)).isNotNull();
        assertThat(source.searches).isZero();
    }

    @Test
    void aSequenceIsSearchedForOnMariaDbOnlyAndOnlyIfRowsCanBeOfOne() throws IOException {
        source.isSequence = true;
        PastDefinitions mariaDb = definitions(new SourceTraits(true, 110800, false));

        assertThat(past.goneSequence(T, AT, schema -> true)).isNull();
        assertThat(mariaDb.goneSequence(T, null, schema -> true)).isNull();
        assertThat(mariaDb.goneSequence(T, AT, schema -> false)).isNull();
        assertThat(source.searches).isZero();

        PastDefinition sequence = mariaDb.goneSequence(T, AT, schema -> true);
        assertThat(sequence.table().isSequence()).isTrue();
        assertThat(sequence.isRecorded()).isFalse();
        source.isSequence = false;
        assertThat(mariaDb.goneSequence(T, AT, schema -> true)).isNull();
    }

    @Test
    void aDefinitionThatCannotBeReadIsNone() throws IOException {
        source.texts.add("CREATE TABLE `t` SELECT 1");

        assertThat(past.recallOrRead(T, AT)).isNull();
    }

    @Test
    void columnsAreTakenOutOnlyIfAllAreThereAndOthersAreLeft() throws IOException {
        TableSchema table = past.parse(T, THREE);

        assertThat(SchemaTexts.text(PastDefinitions.without(table, List.of("B"))))
                .isEqualTo("a int, c int");
        assertThat(PastDefinitions.without(table, List.of("b", "x"))).isNull();
        assertThat(PastDefinitions.without(table, List.of("a", "b", "c"))).isNull();
    }
}
