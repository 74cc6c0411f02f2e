package io.sluice.server.config.remote;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.file.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The file that keeps the last configuration of an admin server that was right, for a start at which that one cannot be asked. It holds
 * passwords, so its owner alone can read it. It is replaced as a whole: a reader finds one version or the other. For one thread at a
 * time.
 */
public final class TextCopy {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;
    private static final int MAX_BYTES = 256 << 20;

    private final Path file;
    private final URI address;

    /**
     * Names a file; nothing is read yet.
     *
     * @param address of the admin server; a copy of another one's configuration is not used
     */
    public TextCopy(Path file, URI address) {
        this.file = file;
        this.address = address;
    }

    /**
     * A copy that was read.
     *
     * @param time when it was written
     */
    public record Saved(RemoteTexts texts, Instant time) {}

    /** Where it is. */
    public Path file() {
        return file;
    }

    /**
     * Reads the copy; empty if there is none.
     *
     * @throws IOException if it cannot be read, is damaged, or is of another admin server
     */
    public Optional<Saved> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        JsonNode copy;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(file + " is too large");
            }
            copy = JSON.readTree(bytes);
        } catch (JacksonException e) {
            throw new IOException(file + " is damaged");
        }
        JsonNode instances = copy.path("instances");
        if (copy.path("version").asInt() != VERSION || !copy.path("server").isTextual() || !instances.isObject()) {
            throw new IOException(file + " is damaged, or of another version of this server");
        }
        if (!copy.path("address").asText().equals(address.toString())) {
            throw new IOException("%s is of another admin server, %s"
                    .formatted(file, Envelope.plain(copy.path("address").asText())));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> instance : instances.properties()) {
            if (!instance.getValue().isTextual()) {
                throw new IOException(file + " is damaged");
            }
            texts.put(instance.getKey(), instance.getValue().textValue());
        }
        try {
            return Optional.of(new Saved(
                    new RemoteTexts(copy.path("server").textValue(), texts),
                    Instant.parse(copy.path("time").asText())));
        } catch (DateTimeException e) {
            throw new IOException(file + " is damaged");
        }
    }

    /** Writes the copy, in the place of the one before. */
    public void write(RemoteTexts texts, Instant time) throws IOException {
        ObjectNode copy = JSON.createObjectNode()
                .put("version", VERSION)
                .put("address", address.toString())
                .put("time", time.toString())
                .put("server", texts.server());
        ObjectNode instances = copy.putObject("instances");
        texts.instances().forEach(instances::put);
        DurableFiles.replaceForOwner(
                file, ByteBuffer.wrap(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(copy)));
    }
}
