package io.sluice.testkit.canal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.protocol.entry.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A published Java client of canal for queues, in a process of its own. */
public abstract class CanalQueueClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Runs the client.
     *
     * @param flat whether it reads flat messages; else packets
     * @return what it prints: a flat message a line, or an entry in Base64
     */
    abstract List<String> read(boolean flat, String lastTable);

    /** The entries that the client finds in packets, up to an insert into the last table, {@code schema.table}. */
    public List<Entry> entriesUntil(String lastTable) {
        List<Entry> entries = new ArrayList<>();
        try {
            for (String line : read(false, lastTable)) {
                entries.add(Entry.parseFrom(Base64.getDecoder().decode(line)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entries;
    }

    /** The flat messages that the client reads, up to a change of the last table, {@code schema.table}. */
    public List<JsonNode> messagesUntil(String lastTable) {
        List<JsonNode> messages = new ArrayList<>();
        try {
            for (String line : read(true, lastTable)) {
                messages.add(JSON.readTree(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }
}
