package io.sluice.schema.history.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

    private static final JsonStringEncoder ESCAPES = JsonStringEncoder.getInstance();

    /** The signs of a member: four quotes, a colon and a comma. */
    private static final int MEMBER_SIGNS = 6;

    /** The length of the escape of a control character that has no short one. */
    private static final int CONTROL_ESCAPE = 6;

    private TextMapJson() {}

    /** The object, with its keys in order. Apart from the result it takes as much memory once more. */
    static String write(Map<String, String> texts) {
        Map<String, String> ordered = new TreeMap<>(texts);
        long length = 2;
        for (Map.Entry<String, String> text : ordered.entrySet()) {
            length += MEMBER_SIGNS + escapedLength(text.getKey()) + escapedLength(text.getValue());
        }
        StringBuilder json = new StringBuilder((int) Math.min(Integer.MAX_VALUE - 8, length));
        json.append('{');
        for (Map.Entry<String, String> text : ordered.entrySet()) {
            json.append(json.length() == 1 ? "\"" : ",\"");
            ESCAPES.quoteAsString(text.getKey(), json);
            json.append("\":\"");
            ESCAPES.quoteAsString(text.getValue(), json);
            json.append('"');
        }
        return json.append('}').toString();
    }

    /** The length of a text with its escapes. */
    private static long escapedLength(String text) {
        long length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t') {
                length++;
            } else if (c < ' ') {
                length += CONTROL_ESCAPE - 1;
            }
        }
        return length;
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
