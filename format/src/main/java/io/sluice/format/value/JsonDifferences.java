package io.sluice.format.value;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads JSON values that an update logs as differences to the value before it.
 *
 * <pre>
 *   +------------------------------+-----------------------------------+------
 *   | operation: 0 replace,        | path length | path  | value length | document | ...
 *   | 1 insert, 2 remove; u8       | lenc        | UTF-8 | lenc         |          |
 *   +------------------------------+-----------------------------------+------
 * </pre>
 *
 * <p>Removals have no value. No bytes at all mean that the value is unchanged. Source: MySQL's source code documentation,
 * "Json_diff". Immutable.
 */
final class JsonDifferences implements ValueDifferences {
    private static final int REPLACE = 0;
    private static final int INSERT = 1;
    private static final int REMOVE = 2;

    private final int prefixLength;
    private final JsonForm form;

    JsonDifferences(int prefixLength, JsonForm form) {
        this.prefixLength = prefixLength;
        this.form = form;
    }

    /** One difference; {@code value} has no bytes where it removes. */
    private record Difference(int operation, EventBody path, EventBody value) {}

    @Override
    public boolean areNone(int length) {
        return length <= prefixLength;
    }

    @Override
    public void writeText(
            byte[] bytes,
            int beforeAt,
            int beforeLength,
            int at,
            int length,
            String column,
            PartialJson form,
            ByteWriter out) {
        EventBody body = new EventBody(bytes, at + prefixLength, at + length);
        if (beforeLength >= 0 && form == PartialJson.DOCUMENT) {
            JsonDocument before = document(new EventBody(bytes, beforeAt + prefixLength, beforeAt + beforeLength));
            writeDocument(before, body, out);
        } else if (body.remaining() > 0) {
            writeFunctions(column, body, out);
        }
    }

    @Override
    public boolean areWithoutEffect(byte[] bytes, int beforeAt, int beforeLength, int at, int length) {
        if (form.equals(JsonForm.EXACT)) {
            return true;
        }
        ByteWriter texts = new ByteWriter(beforeLength + length);
        new JsonDocument(bytes, beforeAt + prefixLength, beforeAt + beforeLength, JsonForm.EXACT).writeText(texts);
        int end = texts.size();
        new JsonDifferences(prefixLength, JsonForm.EXACT)
                .writeText(bytes, beforeAt, beforeLength, at, length, "", PartialJson.DOCUMENT, texts);
        return Arrays.equals(texts.array(), 0, end, texts.array(), end, texts.size());
    }

    private JsonDocument document(EventBody body) {
        return new JsonDocument(body.array(), body.offset(), body.end(), form);
    }

    private void writeDocument(JsonDocument before, EventBody body, ByteWriter out) {
        if (body.remaining() == 0) {
            before.writeText(out);
            return;
        }
        JsonTree tree = new JsonTree(before);
        while (body.remaining() > 0) {
            Difference difference = next(body);
            EventBody text = difference.path;
            JsonPath path = JsonPath.parse(text.array(), text.offset(), text.end());
            switch (difference.operation) {
                case REPLACE -> tree.replace(path, document(difference.value));
                case INSERT -> tree.insert(path, document(difference.value));
                default -> tree.remove(path);
            }
        }
        tree.writeText(out);
    }

    private static Difference next(EventBody body) {
        int operation = body.readByte();
        if (operation > REMOVE) {
            throw JsonDocument.malformed("a difference of the unknown kind " + operation);
        }
        EventBody path = body.slice(body.readPackedLong());
        EventBody value = operation == REMOVE ? body.slice(0) : body.slice(body.readPackedLong());
        return new Difference(operation, path, value);
    }

    /** {@code JSON_REMOVE(JSON_REPLACE(column, '$.a', 1, '$.b', 2), '$.c')}: what was done first is innermost. */
    private void writeFunctions(String column, EventBody body, ByteWriter out) {
        List<Difference> differences = new ArrayList<>();
        List<String> functions = new ArrayList<>();
        while (body.remaining() > 0) {
            Difference difference = next(body);
            differences.add(difference);
            functions.add(functionOf(difference));
        }
        for (int i = functions.size() - 1; i >= 0; i--) {
            if (i == 0 || !functions.get(i).equals(functions.get(i - 1))) {
                out.writeAscii(functions.get(i));
                out.writeByte('(');
            }
        }
        out.write(column.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < functions.size(); i++) {
            Difference difference = differences.get(i);
            out.writeAscii(", '");
            out.write(difference.path.array(), difference.path.offset(), difference.path.remaining());
            out.writeByte('\'');
            if (difference.operation != REMOVE) {
                out.writeAscii(", ");
                document(difference.value).writeText(out);
            }
            if (i == functions.size() - 1 || !functions.get(i).equals(functions.get(i + 1))) {
                out.writeByte(')');
            }
        }
    }

    private static String functionOf(Difference difference) {
        return switch (difference.operation) {
            case REPLACE -> "JSON_REPLACE";
            case REMOVE -> "JSON_REMOVE";
            default -> {
                EventBody path = difference.path;
                boolean element = path.remaining() > 0 && path.array()[path.end() - 1] == ']';
                yield element ? "JSON_ARRAY_INSERT" : "JSON_INSERT";
            }
        };
    }
}
