package io.sluice.schema.history.database;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.h2.engine.Database;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.tx.VersionedValueType;
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

    /** The table of the statements, which each database has. */
    private static final String STATEMENTS = "table.0";

    private final MVStore store;

    /**
     * What is in a file.
     *
     * @param foreignPart the first part that is not of plain tables; null if there are plain tables only
     * @param isClosed whether the file is as H2 has closed it; if not, states that were written after the one that can be read may be missing
     */
    record Found(@Nullable String foreignPart, boolean isClosed) {}

    private H2Definitions(MVStore store) {
        this.store = store;
    }

    /**
     * Reads what a file defines, and how it was left.
     *
     * @param filePassword of an encrypted file
     * @throws org.h2.mvstore.MVStoreException if the file cannot be read or is locked, or the password is wrong
     * @throws IllegalArgumentException if the newest state of a closed file is missing, or a length in it is wrong
     */
    static Found read(Path file, char @Nullable [] filePassword) {
        MVStore.Builder builder =
                new MVStore.Builder().fileName(file.toString()).readOnly().autoCommitDisabled();
        if (filePassword != null) {
            builder.encryptionKey(filePassword);
        }
        MVStore store = builder.open();
        try {
            H2Definitions definitions = new H2Definitions(store);
            definitions.requireNewestState();
            return new Found(definitions.foreignPart().orElse(null), definitions.isClosed());
        } finally {
            store.closeImmediately();
        }
    }

    /**
     * Rejects a file that was closed, and that H2 has opened in an older state. It does that without an error if the header or footer of the newest chunk is
     * damaged or missing: it takes the file for one whose process was killed. Of such a process it is not known which state is the newest that was committed.
     */
    private void requireNewestState() {
        long version = headerNumber("version");
        long found = store.getCurrentVersion();
        if (isMarkedClosed() && found < version) {
            throw new IllegalArgumentException(
                    "it is damaged, or its end is missing: its newest state has the number %d, and what can be read has %d"
                            .formatted(version, found));
        }
        if (!store.hasMap(STATEMENTS)) {
            throw new IllegalArgumentException("it is damaged, or is no database: it has no table of definitions");
        }
    }

    /** H2 marks a file that it closes in its header, and takes the mark away with the first state that it writes after it has opened the file again. */
    private boolean isMarkedClosed() {
        return headerNumber("clean") != 0;
    }

    /** A newer state than that of the header is found if a header was not written, or is damaged: it is there twice. */
    private boolean isClosed() {
        return isMarkedClosed() && headerNumber("version") == store.getCurrentVersion();
    }

    private long headerNumber(String word) {
        return DataUtils.readHexLong(store.getStoreHeader(), word, 0);
    }

    private Optional<String> foreignPart() {
        if (store.hasData(PREPARED)) {
            return Optional.of("a two-phase commit");
        }
        Optional<String> type = store.hasMap(TYPES) ? foreignType() : Optional.empty();
        return type.isPresent() ? type : foreignStatement();
    }

    private Optional<String> foreignType() {
        H2MapTypes types = new H2MapTypes();
        try {
            Cursor<String, String> cursor = store.openMap(
                            TYPES,
                            new MVMap.Builder<String, String>()
                                    .keyType(new H2PageType.Texts())
                                    .valueType(types))
                    .cursor(null);
            while (cursor.hasNext()) {
                cursor.next();
            }
        } catch (RuntimeException e) {
            if (types.unknown() == null) {
                throw e;
            }
        }
        return Optional.ofNullable(types.unknown());
    }

    private Optional<String> foreignStatement() {
        MVMap<Long, VersionedValue<String>> map = store.openMap(
                STATEMENTS,
                new MVMap.Builder<Long, VersionedValue<String>>()
                        .keyType(new H2PageType.Longs())
                        .valueType(new VersionedValueType<String, Database>(new H2StatementRows())));
        Cursor<Long, VersionedValue<String>> cursor = map.cursor(null);
        while (cursor.hasNext()) {
            long id = cursor.next();
            VersionedValue<String> value = cursor.getValue();
            // Of a change that was not committed, H2 takes either, depending on how its transaction ended.
            for (@Nullable String sql : Arrays.asList(value.getCurrentValue(), value.getCommittedValue())) {
                if (sql != null && !PlainDefinition.matches(sql)) {
                    return Optional.of("%s (object %d)".formatted(PlainDefinition.kind(sql), id));
                }
            }
        }
        return Optional.empty();
    }
}
