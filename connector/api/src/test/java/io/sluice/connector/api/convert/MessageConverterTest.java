package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.FixedTime;
import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.EntryKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageConverterTest {
    private final BatchConverter converter = Converters.OF_TEXTS.flat(new FixedRouter("shop", 0), new FixedTime(0, 5));

    @Test
    void makesARecordOfEachEntryThatHasAFlatForm() {
        List<OutgoingRecord> records = converter.convert(
                1,
                List.of(new TextEntry(0, EntryKind.BEGIN, "b"), TextEntry.of(1), TextEntry.of(22), TextEntry.end(3)));

        assertThat(records)
                .extracting(next -> new String(next.message().value(), StandardCharsets.UTF_8))
                .containsExactly("1", "22");
        assertThat(records).extracting(next -> next.message().topic()).containsOnly("shop");
    }
}
