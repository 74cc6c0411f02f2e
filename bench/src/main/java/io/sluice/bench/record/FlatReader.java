package io.sluice.bench.record;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads flat JSON messages. */
public final class FlatReader implements RecordReader {
    private final ObjectReader json = new ObjectMapper().readerFor(Message.class);

    /** The members of a message that the check needs. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Message(
            String table,
            String type,
            @Nullable List<Map<String, @Nullable String>> data,
            @Nullable List<Map<String, @Nullable String>> old) {}

    @Override
    public void read(byte[] record, ArrivedRows rows) throws IOException {
        Message message = json.readValue(record);
        if (message.data() == null) {
            return;
        }
        for (int i = 0; i < message.data().size(); i++) {
            String before = message.old() == null ? null : message.old().get(i).get("amount");
            rows.add(message.table(), message.type(), message.data().get(i), before);
        }
    }
}
