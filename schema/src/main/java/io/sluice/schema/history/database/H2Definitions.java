package io.sluice.schema.history.database;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.h2.engine.Database;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.tx.VersionedValueType;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.MetaType;
import org.h2.mvstore.type.StringDataType;
import org.h2.result.RowFactory;
import org.h2.result.SearchRow;
import org.h2.value.CompareMode;
import org.h2.value.Value;
import org.h2.value.VersionedValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an H2 file defines, without SQL.
 *
 * <p>H2 executes the statements that are stored in a file when it opens it. They may compile Java code, load classes, write files and connect to
 * other databases, so a prepared file would execute what its author wants. Two more parts of a file can hold Java objects, or name
 * classes that are instantiated. All three are read here from H2's storage, where nothing is executed.
 */
final class H2Definitions {
    /** The map with the types of other maps. */
    private static final String TYPES = "_";

    /** The map with two-phase commits, in which any Java object can be. */
    private static final String PREPARED = "openTransactions";

    /** The table of the statements. Its columns are: id, head, type, statement. */
    private static final String STATEMENTS = "table.0";

    private static final int COLUMNS = 4;
    private static final int STATEMENT = 3;

    private final MVStore store;

    private H2Definitions(MVStore store) {
        this.store = store;
    }

    /**
     * Describes the first part that is not of plain tables.
     *
     * @param filePassword of an encrypted file
     * @return empty if there are plain tables only
     * @throws org.h2.mvstore.MVStoreException if the file is damaged or locked, or the password is wrong
     */
    static Optional<String> foreignPart(Path file, char @Nullable [] filePassword) {
        MVStore.Builder builder =
                new MVStore.Builder().fileName(file.toString()).readOnly().autoCommitDisabled();
        if (filePassword != null) {
            builder.encryptionKey(filePassword);
        }
        MVStore store = builder.open();
        try {
            return new H2Definitions(store).foreignPart();
        } finally {
            store.closeImmediately();
        }
    }

    private Optional<String> foreignPart() {
        if (store.hasData(PREPARED)) {
            return Optional.of("a two-phase commit");
        }
        Optional<String> type = store.hasMap(TYPES) ? foreignType() : Optional.empty();
        if (type.isPresent()) {
            return type;
        }
        return store.hasMap(STATEMENTS) ? foreignStatement() : Optional.empty();
    }

    private Optional<String> foreignType() {
        KnownTypes types = new KnownTypes();
        try {
            Cursor<String, DataType<?>> cursor = store.openMap(
                            TYPES,
                            new MVMap.Builder<String, DataType<?>>()
                                    .keyType(StringDataType.INSTANCE)
                                    .valueType(types))
                    .cursor(null);
            while (cursor.hasNext()) {
                cursor.next();
            }
        } catch (RuntimeException e) {
            if (types.unknown == null) {
                throw e;
            }
        }
        return Optional.ofNullable(types.unknown);
    }

    private Optional<String> foreignStatement() {
        DataType<SearchRow> rows = RowFactory.getDefaultRowFactory()
                .createRowFactory(
                        null, CompareMode.getInstance(null, 0), null, new int[COLUMNS], null, null, COLUMNS, false)
                .getRowDataType();
        MVMap<Long, VersionedValue<SearchRow>> map = store.openMap(
                STATEMENTS,
                new MVMap.Builder<Long, VersionedValue<SearchRow>>()
                        .keyType(LongDataType.INSTANCE)
                        .valueType(new VersionedValueType<SearchRow, Database>(rows)));
        Cursor<Long, VersionedValue<SearchRow>> cursor = map.cursor(null);
        while (cursor.hasNext()) {
            long id = cursor.next();
            VersionedValue<SearchRow> value = cursor.getValue();
            // Of a change that was not committed, H2 takes either, depending on how its transaction ended.
            for (@Nullable SearchRow row : new SearchRow[] {value.getCurrentValue(), value.getCommittedValue()}) {
                Value statement = row == null ? null : row.getValue(STATEMENT);
                String sql = statement == null ? null : statement.getString();
                if (row != null && (sql == null || !PlainDefinition.matches(sql))) {
                    return Optional.of("%s (object %d)".formatted(PlainDefinition.kind(sql == null ? "" : sql), id));
                }
            }
        }
        return Optional.empty();
    }

    /** Reads the types of maps, of which H2 takes each by the name of its class; no other class is loaded than those of canal's tables. */
    private static final class KnownTypes extends BasicDataType<DataType<?>> {
        private static final String VERSIONED = "org.h2.mvstore.tx.VersionedValueType$Factory";
        private static final Set<String> KNOWN = Set.of(
                "org.h2.mvstore.db.LobStorageMap$BlobMeta$Type",
                "org.h2.mvstore.db.LobStorageMap$BlobReference$Type",
                "org.h2.mvstore.db.NullValueDataType",
                "org.h2.mvstore.db.RowDataType$Factory",
                "org.h2.mvstore.db.ValueDataType$Factory",
                "org.h2.mvstore.type.ByteArrayDataType",
                "org.h2.mvstore.type.LongDataType",
                "org.h2.mvstore.type.StringDataType");

        private final MetaType<Database> known = new MetaType<>(null, null);
        private @Nullable String unknown;

        @Override
        public DataType<?> read(ByteBuffer buffer) {
            int start = buffer.position();
            String name = DataUtils.readString(buffer, DataUtils.readVarInt(buffer));
            if (name.equals(VERSIONED)) {
                return read(buffer); // of what it has versions
            }
            if (!KNOWN.contains(name)) {
                unknown = name.matches("[\\w.$]{1,100}") ? "the Java type " + name : "an unknown Java type";
                throw new IllegalArgumentException(unknown);
            }
            buffer.position(start);
            return known.read(buffer);
        }

        @Override
        public void write(WriteBuffer buffer, DataType<?> type) {
            throw new UnsupportedOperationException("the file is read only");
        }

        @Override
        public int getMemory(DataType<?> type) {
            return 0;
        }

        @Override
        public DataType<?>[] createStorage(int size) {
            return new DataType<?>[size];
        }
    }
}
