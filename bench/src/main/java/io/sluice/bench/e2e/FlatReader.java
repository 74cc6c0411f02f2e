package io.sluice.bench.e2e;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads flat JSON messages. */
final class FlatReader implements RecordReader {
    private final ObjectReader json = new ObjectMapper().readerFor(Message.class);

    /** What the check needs of a message. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Message(String table, String type, @Nullable List<Map<String, @Nullable String>> data) {}

    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        Message message = json.readValue(record);
        if (message.data() != null) {
            for (Map<String, @Nullable String> row : message.data()) {
                String amount = row.get("amount");
                rows.add(message.table(), message.type(), String.valueOf(row.get("id")), amount == null ? "0" : amount);
            }
        }
    }
}
