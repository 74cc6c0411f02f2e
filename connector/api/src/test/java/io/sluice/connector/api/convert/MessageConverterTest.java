package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.FixedTime;
import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.message.MessageFormat;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageConverterTest {
    private final BatchConverter converter = Converters.OF_TEXTS.flat(new FixedRouter("shop", 0), new FixedTime(0, 5));

    @Test
    void makesAMessageOfEachEntryThatHasAFlatForm() {
        List<OutgoingMessage> records = converter.convert(
                1,
                List.of(new TextEntry(0, EntryKind.BEGIN, "b"), TextEntry.of(1), TextEntry.of(22), TextEntry.end(3)));

        assertThat(records)
                .extracting(next -> new String(next.message().value(), StandardCharsets.UTF_8))
                .containsExactly("1", "22");
        assertThat(records).extracting(next -> next.message().topic()).containsOnly("shop");
    }

    /** Also where rows go by no key, and where the message of the whole event would be one. */
    @Test
    void aFormatOfRowsHasAMessageForEachRow() {
        Workspaces rows = new Workspaces(
                MessageFormat.Unit.ROW,
                () -> (entry, batch, out) -> {
                    ((KeyedEntry) entry).writeText(out);
                    return true;
                },
                () -> (entry, cut) -> ((KeyedEntry) entry).pieces(cut));
        BatchConverter ofRows = new MessageConverter(
                new FixedRouter("shop", 3),
                KeyChange.KEEP,
                DdlPartition.FIRST,
                ChangeHeaders.NONE,
                rows,
                new FixedTime(0, 5));

        List<OutgoingMessage> records = ofRows.convert(
                1,
                List.of(
                        KeyedEntry.of(1, "t", EventType.UPDATE, "a>b", "c>c"),
                        KeyedEntry.of(2, "t", EventType.INSERT, "d")));

        assertThat(records)
                .extracting(next -> new String(next.message().value(), StandardCharsets.UTF_8))
                .containsExactly("UPDATE 1: 0=a>b;", "UPDATE 1: 1=c>c;", "INSERT 2: 0=d>d;");
        assertThat(records).allMatch(next -> next.message().partition() == 3 && next.changes() == 1);
    }
}
