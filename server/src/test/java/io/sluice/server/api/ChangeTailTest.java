package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.format.entry.CompressedRow;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.StatementEntry;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.server.instance.DeliveryTap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTailTest {
    private static final Origin ORIGIN = new Origin(
            new LogFile(SourceServer.at("db", 3306), "binlog.000001"), 4, 1, 1_767_225_600_000L, 40, 0, null, true);

    private static final String CREATE =
            "create table t (a int default '7') engine=federated connection='mysql://app:S3cret@db/shop/t'";

    private final DeliveryTap tap = new DeliveryTap();

    private String sql(EventType type, String sql, boolean isEncoded, boolean showsValues) throws InterruptedException {
        Entry entry = new StatementEntry(ORIGIN, type, "shop", "t", type == EventType.CREATE, sql, "shop");
        try (ChangeTail tail = new ChangeTail(tap, "", showsValues)) {
            tap.delivered(List.of(isEncoded ? Encodings.encoded(entry) : entry));
            ObjectNode change = tail.next(0);
            assertThatObject(change).isNotNull();
            return String.valueOf(change).contains("S3cret") == showsValues
                    ? change.path("sql").asText()
                    : "shown: " + change;
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aStatementThatDefinesATableIsShownWithoutItsLiterals(boolean isEncoded) throws InterruptedException {
        assertThat(sql(EventType.CREATE, CREATE, isEncoded, false))
                .isEqualTo("create table t (a int default '***') engine=federated connection='***'");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aStatementThatChangesRowsIsNotShown(boolean isEncoded) throws InterruptedException {
        assertThat(sql(EventType.UPDATE, "update t set a = 7 /* S3cret */", isEncoded, false))
                .isEqualTo("***");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void anAdministratorSeesStatementsAsTheyAre(boolean isEncoded) throws InterruptedException {
        assertThat(sql(EventType.CREATE, CREATE, isEncoded, true)).isEqualTo(CREATE);
    }

    /** It would be shown as damaged if it were unpacked. */
    @Test
    void aCompressedValueIsNotUnpackedIfItsTextIsTooLargeToBeShown() throws InterruptedException {
        try (ChangeTail tail = new ChangeTail(tap, "", true)) {
            tap.delivered(List.of(CompressedRow.damaged(40_000_000)));
            ObjectNode change = tail.next(0);
            assertThatObject(change).isNotNull();
            assertThat(change.path("unreadable").asText()).contains("bytes or more are needed");
        }
    }
}
