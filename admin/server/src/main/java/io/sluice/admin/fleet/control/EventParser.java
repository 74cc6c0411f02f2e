package io.sluice.admin.fleet.control;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/**
 * Reads server-sent events from bytes that come in any pieces. Confined to one thread.
 *
 * <p>Lines end with CR, LF or both. Of the fields only {@code event} and {@code data} count; an event without data is none.
 */
final class EventParser {
    private final int maxBytes;
    private final BiConsumer<String, String> events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String name = "";
    private boolean hasData;
    private boolean isAfterCarriageReturn;

    /**
     * Makes a parser.
     *
     * @param maxBytes of a line, and of the data of an event
     * @param events gets name and data of each event; the name is {@code message} unless it is given
     */
    EventParser(int maxBytes, BiConsumer<String, String> events) {
        this.maxBytes = maxBytes;
        this.events = events;
    }

    /**
     * Reads what has come.
     *
     * @throws IllegalStateException if an event is too large
     */
    void read(ByteBuf bytes) {
        while (bytes.isReadable()) {
            byte next = bytes.readByte();
            boolean isRestOfEnd = next == '\n' && isAfterCarriageReturn;
            isAfterCarriageReturn = next == '\r';
            if (next == '\r' || next == '\n') {
                if (!isRestOfEnd) {
                    end(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                }
            } else {
                require(line.size());
                line.write(next);
            }
        }
    }

    private void require(int size) {
        if (size >= maxBytes) {
            throw new IllegalStateException("an event is larger than %d bytes".formatted(maxBytes));
        }
    }

    private void end(String text) {
        if (text.isEmpty()) {
            if (hasData) {
                events.accept(name.isEmpty() ? "message" : name, data.toString());
            }
            name = "";
            hasData = false;
            data.setLength(0);
            return;
        }
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        if (field.equals("event")) {
            name = value;
        } else if (field.equals("data")) {
            require(data.length() + value.length());
            if (hasData) {
                data.append('\n');
            }
            data.append(value);
            hasData = true;
        }
    }
}
