package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The columns of a row entry as its flat message has them: names, types and the primary key. */
public final class EntryColumns {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EntryColumns() {}

    /** The value of a column in the only row of an entry. */
    static String valueOf(Entry entry, String column) throws IOException {
        JsonNode rows = flat(entry).path("data");
        assertThat(rows).hasSize(1);
        return rows.path(0).path(column).asText();
    }

    private static JsonNode flat(Entry entry) throws IOException {
        ByteWriter out = new ByteWriter(256);
        assertThat(Encodings.writeFlat(entry, out, 1, 1)).isTrue();
        return JSON.readTree(new String(out.toByteArray(), StandardCharsets.UTF_8));
    }

    public static String of(Entry entry) throws IOException {
        JsonNode flat = flat(entry);
        List<String> columns = new ArrayList<>();
        flat.path("mysqlType")
                .properties()
                .forEach(column ->
                        columns.add(column.getKey() + " " + column.getValue().asText()));
        return String.join(", ", columns) + " " + flat.path("pkNames");
    }
}
