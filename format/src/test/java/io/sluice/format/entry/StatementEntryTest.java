package io.sluice.format.entry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementEntryTest {
    private static final Set<EventType> DDL = EnumSet.of(
            EventType.CREATE,
            EventType.ALTER,
            EventType.ERASE,
            EventType.TRUNCATE,
            EventType.RENAME,
            EventType.CINDEX,
            EventType.DINDEX);

    @ParameterizedTest
    @EnumSource
    void changesOfTablesAndIndexesAreDdl(EventType type) {
        Origin origin = new Origin(
                new LogFile(SourceServer.at("localhost", 3306), "binlog.000001"), 4, 1, 1_000, 40, 0, null, false);

        StatementEntry entry = new StatementEntry(origin, type, "shop", "t", true, "", "shop");

        assertThat(entry.kind()).isEqualTo(DDL.contains(type) ? EntryKind.DDL : EntryKind.STATEMENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"XA COMMIT X'61',X'',1", " \n\txa commit X'61',X'',1"})
    void theTypeOfAnXaStatementIsReadInAnyCaseAndWithBlanksBeforeIt(String sql) {
        assertThat(XaText.of(sql)).isEqualTo(new XaText("XA COMMIT", " X'61',X'',1"));
    }
}
