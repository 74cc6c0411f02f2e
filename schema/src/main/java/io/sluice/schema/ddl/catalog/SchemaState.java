package io.sluice.schema.ddl.catalog;

import java.util.Map;

/**
 * All table schemas at a position, as {@code CREATE TABLE} texts.
 *
 * @param definitions a schema's {@code CREATE TABLE} statements one after the other, by the schema's name
 * @param notes what statements cannot express, by keys that only {@link TableCatalog} interprets
 */
public record SchemaState(Map<String, String> definitions, Map<String, String> notes) {
    public SchemaState {
        definitions = Map.copyOf(definitions);
        notes = Map.copyOf(notes);
    }
}
