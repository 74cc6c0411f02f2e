package io.sluice.schema.history.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The JSON object of texts by name in the column {@code data} of {@code meta_snapshot}. */
final class TextMapJson {
    /** Without a limit for texts: all tables of a schema are one text. Only this product and canal write them. */
    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private TextMapJson() {}

    /** The object, with its keys in order. */
    static String write(Map<String, String> texts) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(texts).forEach(node::put);
        return node.toString();
    }

    /**
     * Reads an object; members that are null are left out.
     *
     * @throws IllegalArgumentException if it is none, or a member is no text
     */
    static Map<String, String> read(String json) {
        try {
            return read(new StringReader(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads an object from a reader; members that are null are left out.
     *
     * @throws IOException if it cannot be read
     */
    static Map<String, String> read(Reader json) throws IOException {
        JsonNode node;
        try {
            node = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
        }
        if (!node.isObject()) {
            throw new IllegalArgumentException("no JSON object");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties().forEach(member -> {
            if (!member.getValue().isNull()) {
                if (!member.getValue().isTextual()) {
                    throw new IllegalArgumentException("the JSON member " + member.getKey() + " is no text");
                }
                texts.put(member.getKey(), member.getValue().textValue());
            }
        });
        return texts;
    }
}
