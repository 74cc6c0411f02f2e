package io.sluice.schema.definition;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.table.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of the changes of an {@code ALTER TABLE}. Immutable. */
public sealed interface AlterItem {
    /** The event type of the entry if this item is the first; null if canal ignores such an item. */
    default @Nullable EventType type() {
        return EventType.ALTER;
    }

    /** Whether all columns keep their names, places, keys and types. */
    default boolean leavesColumns() {
        return false;
    }

    /**
     * {@code ADD COLUMN} of one or more.
     *
     * @param ifNotExists whether those that the table has already are left out
     */
    record AddColumns(List<ColumnDefinition> columns, boolean ifNotExists) implements AlterItem {}

    /**
     * {@code DROP COLUMN}.
     *
     * @param ifExists whether nothing happens if there is none
     */
    record DropColumn(String column, boolean ifExists) implements AlterItem {}

    /**
     * {@code MODIFY}, which keeps the name, and {@code CHANGE}.
     *
     * @param ifExists whether nothing happens if there is none
     */
    record ReplaceColumn(String column, ColumnDefinition by, boolean ifExists) implements AlterItem {}

    /**
     * {@code RENAME COLUMN}.
     *
     * @param ifExists whether nothing happens if there is none
     */
    record RenameColumn(String column, String newName, boolean ifExists) implements AlterItem {}

    /** {@code RENAME TO}. */
    record RenameTable(TableName newName) implements AlterItem {
        @Override
        public EventType type() {
            return EventType.RENAME;
        }
    }

    /** {@code ALTER COLUMN .. SET VISIBLE} or {@code INVISIBLE}. */
    record SetVisibility(String column, boolean invisible) implements AlterItem {
        @Override
        public boolean leavesColumns() {
            return true;
        }
    }

    /** Changes all text columns and the default; null means the character set that {@link InheritedCharset} finds. */
    record ConvertCharset(@Nullable String charset) implements AlterItem {}

    /** @param ifNotExists whether nothing happens if the table has one already */
    record AddPrimaryKey(PrimaryKey key, boolean ifNotExists) implements AlterItem {
        @Override
        public EventType type() {
            return EventType.CINDEX;
        }
    }

    /** However it is written; only {@code DROP PRIMARY KEY} itself counts as {@code ALTER}. */
    record DropPrimaryKey(EventType type) implements AlterItem {}

    /**
     * Table options, which decide the type wherever they are.
     *
     * @param defaultCharset the character set of columns to come; null if it stays, or becomes that of the schema
     * @param takesSchemaCharset whether it becomes that of the schema
     */
    record TableOptions(@Nullable String defaultCharset, boolean takesSchemaCharset) implements AlterItem {
        /** Whether the character set stays as it is. */
        public boolean leavesCharset() {
            return defaultCharset == null && !takesSchemaCharset;
        }
    }

    /** {@code ADD PARTITION PARTITIONS n}, which canal cannot read. */
    record AddPartitionsByCount() implements AlterItem {}

    /** {@code ADD SYSTEM VERSIONING}: with hidden columns, unless the statement names its own. */
    record AddVersioning() implements AlterItem {}

    /** {@code DROP SYSTEM VERSIONING}: the hidden columns go. */
    record DropVersioning() implements AlterItem {}

    /** {@code ADD PERIOD FOR SYSTEM_TIME}, whose columns other items add; from MariaDB 11.7 on also in the place of hidden ones. */
    record AddPeriod(Period period) implements AlterItem {}

    /** {@code ADD PERIOD FOR} the application, of columns that are there or that other items add. */
    record AddApplicationPeriod(Period period) implements AlterItem {
        @Override
        public boolean leavesColumns() {
            return true;
        }
    }

    /** Changes nothing of the table schema. */
    record NoColumns(@Nullable EventType type) implements AlterItem {
        @Override
        public boolean leavesColumns() {
            return true;
        }
    }
}
