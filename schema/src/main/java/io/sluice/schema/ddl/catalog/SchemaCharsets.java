package io.sluice.schema.ddl.catalog;

import io.sluice.schema.definition.CharsetClause;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.IdentifierCase;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The default character sets of schemas at the current event, and which schemas were created or dropped in the stream. For one thread. */
public final class SchemaCharsets {
    private static final String CHARSET = "charset ";
    private static final String COMPLETE = "complete ";

    private static final int MAX_DROPPED = 10_000;

    private final TableDefinitions definitions;
    private final SourceTraits source;

    /** The defaults of schemas at the event. */
    private final Map<String, String> charsets = new HashMap<>();

    /** The defaults that schemas had on the source when they were read from it, where those of a recorded time are not known. */
    private final Map<String, String> presentCharsets = new HashMap<>();

    /** The sets in {@code CREATE DATABASE IF NOT EXISTS}, for schemas that the source does not show any more. */
    private final Map<String, String> madeIfAbsent = new HashMap<>();

    /** Schemas that a statement has dropped, and none has created since: the newest of them. */
    private final Set<String> dropped = new LinkedHashSet<>();

    /** Schemas that were created in the stream: a table of theirs that is not in memory does not exist. */
    private final Set<String> complete = new HashSet<>();

    SchemaCharsets(TableDefinitions definitions, SourceTraits source) {
        this.definitions = definitions;
        this.source = source;
    }

    /** Applies a {@code CREATE DATABASE}; without a character set that of the session, which is not known, is meant. */
    public void create(String schema, @Nullable String charset, boolean ifNotExists) {
        String key = key(schema);
        if (ifNotExists && !dropped.contains(key)) { // if it was there, its set is not the one in the text
            if (charset != null && !charsets.containsKey(key)) {
                madeIfAbsent.put(key, charset);
            }
            return;
        }
        dropped.remove(key);
        complete.add(key);
        alter(schema, charset);
    }

    /** Sets the default character set of a schema; null if it must be read from the source. */
    public void alter(String schema, @Nullable String charset) {
        if (charset == null) {
            forget(schema);
        } else {
            charsets.put(key(schema), charset);
        }
    }

    /** Forgets the default character set of a schema, so that it is requested from the source when it is needed next. */
    public void forget(String schema) {
        charsets.remove(key(schema));
    }

    /** States that a schema may have tables that are not in memory. */
    void doubtTables(String schema) {
        complete.remove(key(schema));
        dropped.remove(key(schema));
    }

    void drop(String schema) {
        String key = key(schema);
        charsets.remove(key);
        madeIfAbsent.remove(key);
        dropped.add(key);
        if (dropped.size() > MAX_DROPPED) {
            dropped.remove(dropped.iterator().next());
        }
        complete.remove(key);
    }

    /**
     * Replaces the known default character sets by those at the position of the stream. Those of other schemas are requested from the source when they are
     * needed.
     *
     * @param ofSchemas by the names of schemas
     */
    public void setAll(Map<String, String> ofSchemas) {
        charsets.clear();
        ofSchemas.forEach(this::alter);
    }

    /** The schemas whose default character sets are known, by names that the server takes for the same. */
    public Set<String> schemas() {
        return Set.copyOf(charsets.keySet());
    }

    /** Whether a schema was created in the stream, so that a table of it that is not in memory does not exist. */
    boolean isComplete(String schema) {
        return complete.contains(key(schema));
    }

    /**
     * Finds the default character set of a schema at an event of the stream; it is read from the source if no statement has set it.
     *
     * @param at null if the source is at the event, too
     * @return {@link CharsetClause#UNKNOWN} if the source had another one then, or does not show the schema, and neither table maps nor anything else states it;
     *     null if the source does not show the schema, otherwise
     */
    @Nullable String find(String schema, @Nullable EventPosition at) throws IOException {
        String known = charsets.get(key(schema));
        if (known != null) {
            return known;
        }
        String present = definitions.schemaCharset(schema);
        boolean isOfEvent = at == null
                || source.statesCharsets()
                || present != null && !definitions.changesCharsetAfter(schema, at);
        String stated = present == null ? madeIfAbsent.get(key(schema)) : null;
        String charset = isOfEvent ? present : stated == null ? CharsetClause.UNKNOWN : stated;
        if (charset != null) {
            charsets.put(key(schema), charset); // up to the statement that changes it
        }
        return charset;
    }

    /** Finds the default character set of a schema: the known one, or else the one that the source has now; null if the source does not show the schema. */
    @Nullable String findPresent(String schema) throws IOException {
        String charset = charsets.getOrDefault(key(schema), presentCharsets.get(key(schema)));
        if (charset == null) {
            charset = definitions.schemaCharset(schema);
            if (charset != null) {
                presentCharsets.put(key(schema), charset);
            }
        }
        return charset;
    }

    /** Adds what is in memory to the notes of a {@link SchemaState}, for {@link #restore}. */
    void addTo(Map<String, String> notes) {
        charsets.forEach((schema, charset) -> notes.put(CHARSET + schema, charset));
        complete.forEach(schema -> notes.put(COMPLETE + schema, ""));
    }

    /** Replaces what is in memory by what notes have of it. */
    void restore(Map<String, String> notes) {
        charsets.clear();
        presentCharsets.clear();
        madeIfAbsent.clear();
        dropped.clear();
        complete.clear();
        notes.forEach((note, value) -> {
            if (note.startsWith(CHARSET)) {
                charsets.put(note.substring(CHARSET.length()), value);
            } else if (note.startsWith(COMPLETE)) {
                complete.add(note.substring(COMPLETE.length()));
            }
        });
    }

    private String key(String schema) {
        return source.foldsNames() ? IdentifierCase.fold(schema) : schema;
    }
}
