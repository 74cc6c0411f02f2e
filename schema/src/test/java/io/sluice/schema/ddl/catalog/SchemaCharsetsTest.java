package io.sluice.schema.ddl.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.definition.CharsetClause;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaCharsetsTest {
    private static final EventPosition AT = new EventPosition("binlog.000001", 4, 10, 1, 0, null);

    /** A server whose table maps do not state character sets. */
    private static final SourceTraits MYSQL_57 = new SourceTraits(false, 50744, false);

    /** The defaults of schemas on a source. */
    private static final class Source implements TableDefinitions {
        private final Map<String, String> charsets = new HashMap<>();
        private boolean isChangedLater;
        private int queries;

        @Override
        public @Nullable String createStatement(TableName table) {
            return null;
        }

        @Override
        public @Nullable String schemaCharset(String schema) {
            queries++;
            return charsets.get(schema);
        }

        @Override
        public boolean changesCharsetAfter(String schema, EventPosition event) {
            return isChangedLater;
        }
    }

    private final Source source = new Source();
    private final SchemaCharsets charsets = new SchemaCharsets(source, MYSQL_57);

    @Test
    void theSetOfAStatementHoldsUntilTheSchemaIsDropped() throws IOException {
        source.charsets.put("shop", "utf8mb4");
        charsets.create("shop", "gbk", false);
        assertThat(charsets.find("shop", AT)).isEqualTo("gbk");
        charsets.alter("shop", "big5");
        assertThat(charsets.find("shop", AT)).isEqualTo("big5");
        assertThat(source.queries).isZero();

        charsets.drop("shop");

        assertThat(charsets.find("shop", AT)).isEqualTo("utf8mb4");
    }

    @Test
    void theSetOfTheSourceIsReadOnce() throws IOException {
        source.charsets.put("shop", "koi8r");

        assertThat(charsets.find("shop", AT)).isEqualTo("koi8r");
        assertThat(charsets.find("shop", AT)).isEqualTo("koi8r");

        assertThat(source.queries).isEqualTo(1);
        assertThat(charsets.schemas()).containsExactly("shop");
    }

    @Test
    void theSetOfTheSourceIsNotThatOfAnEventBeforeAStatementThatChangesIt() throws IOException {
        source.charsets.put("shop", "koi8r");
        source.isChangedLater = true;

        assertThat(charsets.find("shop", AT)).isEqualTo(CharsetClause.UNKNOWN);
        assertThat(new SchemaCharsets(source, SourceTraits.DEFAULT).find("shop", AT))
                .as("table maps state the sets of columns")
                .isEqualTo("koi8r");
        assertThat(new SchemaCharsets(source, MYSQL_57).find("shop", null)).isEqualTo("koi8r");
    }

    @Test
    void theSetInIfNotExistsCountsOnlyIfTheSourceDoesNotShowTheSchema() throws IOException {
        charsets.create("shop", "gbk", true);
        charsets.create("gone", "gbk", true);
        source.charsets.put("shop", "koi8r");

        assertThat(charsets.find("shop", AT)).isEqualTo("koi8r");
        assertThat(charsets.find("gone", AT)).isEqualTo("gbk");
        assertThat(charsets.isComplete("shop")).isFalse();
    }

    @Test
    void aSchemaThatWasDroppedIsCreatedByIfNotExists() throws IOException {
        charsets.drop("shop");
        charsets.create("shop", "gbk", true);

        assertThat(charsets.find("shop", AT)).isEqualTo("gbk");
        assertThat(charsets.isComplete("shop")).isTrue();
        charsets.drop("shop");
        assertThat(charsets.isComplete("shop")).isFalse();
    }

    /** A source may create a schema for each of its tests, for years. */
    @Test
    void onlyTheNewestSchemasAreKnownToBeDropped() {
        for (int i = 0; i < 10_050; i++) {
            charsets.drop("s" + i);
        }

        charsets.create("s1", null, true);
        charsets.create("s10049", null, true);

        assertThat(notes()).containsOnlyKeys("complete s10049");
    }

    /** The set that the source has now is no evidence of what it had at an event of the stream. */
    @Test
    void theSetThatTheSourceHasNowIsNotKeptForLaterEvents() throws IOException {
        source.charsets.put("shop", "koi8r");
        assertThat(charsets.findPresent("shop")).isEqualTo("koi8r");
        assertThat(charsets.findPresent("shop")).isEqualTo("koi8r");
        assertThat(source.queries).isEqualTo(1);
        source.isChangedLater = true;

        assertThat(charsets.find("shop", AT)).isEqualTo(CharsetClause.UNKNOWN);
        assertThat(charsets.findPresent("shop")).as("the set of the event").isEqualTo(CharsetClause.UNKNOWN);
        assertThat(charsets.findPresent("none")).isNull();
    }

    @Test
    void whatIsInNotesIsRestored() throws IOException {
        charsets.create("shop", "gbk", false);
        charsets.create("plain", null, false);
        SchemaCharsets restored = new SchemaCharsets(source, MYSQL_57);
        restored.create("other", "big5", false);

        restored.restore(notes());

        assertThat(restored.find("shop", AT)).isEqualTo("gbk");
        assertThat(restored.isComplete("plain")).isTrue();
        assertThat(restored.isComplete("other")).isFalse();
        assertThat(restored.schemas()).containsExactly("shop");
    }

    @Test
    void namesAreFoldedAsOnTheServer() throws IOException {
        SchemaCharsets folding = new SchemaCharsets(source, new SourceTraits(false, 50744, true));
        folding.create("Shop", "gbk", false);
        charsets.create("Shop", "gbk", false);

        assertThat(folding.find("shop", AT)).isEqualTo("gbk");
        assertThat(folding.isComplete("SHOP")).isTrue();
        assertThat(charsets.isComplete("shop")).isFalse();
    }

    private Map<String, String> notes() {
        Map<String, String> notes = new TreeMap<>();
        charsets.addTo(notes);
        return notes;
    }
}
