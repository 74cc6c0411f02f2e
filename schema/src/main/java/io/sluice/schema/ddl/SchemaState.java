package io.sluice.schema.ddl;

import java.util.Map;

/**
 * All table schemas at a position, as texts.
 *
 * @param definitions a schema's {@code CREATE TABLE} statements one after the other, by the schema's name
 * @param notes what statements cannot say, by words that {@link SchemaTracker} alone knows
 */
public record SchemaState(Map<String, String> definitions, Map<String, String> notes) {
    public SchemaState {
        definitions = Map.copyOf(definitions);
        notes = Map.copyOf(notes);
    }
}
