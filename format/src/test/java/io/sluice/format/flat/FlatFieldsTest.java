package io.sluice.format.flat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.SourceServer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlatFieldsTest {
    private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    private final FlatFields fields = new FlatFields();

    @Test
    void eachMessageHasTheGtidSetOfItsOwnTransaction() {
        TransactionGtid first = TransactionGtid.visible(GtidSet.parse(SOURCE + ":1-5"), null, 0, 0);
        TransactionGtid second = TransactionGtid.visible(GtidSet.parse(SOURCE + ":1-6"), null, 0, 0);

        assertThat(gtidOf(first)).isEqualTo(SOURCE + ":1-5");
        assertThat(gtidOf(first)).isEqualTo(SOURCE + ":1-5");
        assertThat(gtidOf(second)).isEqualTo(SOURCE + ":1-6");
        assertThat(gtidOf(null)).isEmpty();
        assertThat(gtidOf(first)).isEqualTo(SOURCE + ":1-5");
        assertThat(gtidOf(TransactionGtid.silent(GtidSet.parse(SOURCE + ":1-7"), null)))
                .isEmpty();
    }

    private String gtidOf(@Nullable TransactionGtid transaction) {
        LogFile file = new LogFile(SourceServer.at("db", 3306), "binlog.000001");
        ByteWriter out = new ByteWriter(16);
        fields.writeTimeAndBatch(out, new Origin(file, 4, 9, 1_767_225_600_000L, 40, 2, transaction, false), 7);
        String text = new String(out.toByteArray(), StandardCharsets.UTF_8);
        String before = ",\"es\":1767225600000,\"gtid\":\"";
        String after = "\",\"id\":7,\"isDdl\":";
        assertThat(text).startsWith(before).endsWith(after);
        return text.substring(before.length(), text.length() - after.length());
    }
}
