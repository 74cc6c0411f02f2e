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
final class EntryColumns {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EntryColumns() {}

    static String of(Entry entry) throws IOException {
        ByteWriter out = new ByteWriter(256);
        assertThat(Encodings.writeFlat(entry, out, 1, 1)).isTrue();
        JsonNode flat = JSON.readTree(new String(out.toByteArray(), StandardCharsets.UTF_8));
        List<String> columns = new ArrayList<>();
        flat.path("mysqlType")
                .properties()
                .forEach(column ->
                        columns.add(column.getKey() + " " + column.getValue().asText()));
        return String.join(", ", columns) + " " + flat.path("pkNames");
    }
}
