package io.sluice.schema.history.database;

import java.nio.ByteBuffer;
import java.util.Set;
import org.h2.mvstore.DataUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads the types of the maps of an H2 file. H2 loads and instantiates the class that a type names; here no class is loaded, and a name that canal's
 * tables do not need ends the read.
 */
final class H2MapTypes extends H2PageType<String> {
    private static final String VERSIONED = "org.h2.mvstore.tx.VersionedValueType$Factory";
    private static final String ROWS = "org.h2.mvstore.db.RowDataType$Factory";
    private static final String VALUES = "org.h2.mvstore.db.ValueDataType$Factory";
    private static final Set<String> WITHOUT_PARAMETERS = Set.of(
            "org.h2.mvstore.db.LobStorageMap$BlobMeta$Type",
            "org.h2.mvstore.db.LobStorageMap$BlobReference$Type",
            "org.h2.mvstore.db.NullValueDataType",
            "org.h2.mvstore.type.ByteArrayDataType",
            "org.h2.mvstore.type.LongDataType",
            "org.h2.mvstore.type.StringDataType");

    private @Nullable String unknown;

    /** The first type that canal's tables do not need; null for none so far. */
    @Nullable String unknown() {
        return unknown;
    }

    @Override
    public String read(ByteBuffer buffer) {
        String name = text(buffer);
        while (name.equals(VERSIONED)) {
            name = text(buffer); // of what it has versions
        }
        if (name.equals(ROWS)) {
            DataUtils.readVarInt(buffer); // how many columns
            skipNumbers(buffer);
            skipNumbers(buffer);
            buffer.get();
        } else if (name.equals(VALUES)) {
            skipNumbers(buffer);
            DataUtils.readVarInt(buffer);
            skipNumbers(buffer);
            buffer.get();
        } else if (!WITHOUT_PARAMETERS.contains(name)) {
            unknown = name.matches("[\\w.$]{1,100}") ? "the Java type " + name : "an unknown Java type";
            throw new IllegalArgumentException(unknown);
        }
        return name;
    }

    /** Their count is one less than stated; none are stated as 0. */
    private static void skipNumbers(ByteBuffer buffer) {
        int count = Math.max(0, DataUtils.readVarInt(buffer) - 1);
        requireThere(buffer, count);
        for (int i = 0; i < count; i++) {
            DataUtils.readVarInt(buffer);
        }
    }
}
