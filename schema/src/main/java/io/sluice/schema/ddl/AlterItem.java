package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of the changes of an {@code ALTER TABLE}. */
sealed interface AlterItem {
    /** The event type of the entry if this item is the first; null if canal ignores such an item. */
    default @Nullable EventType type() {
        return EventType.ALTER;
    }

    record AddColumns(List<ColumnDefinition> columns, boolean ifNotExists) implements AlterItem {}

    record DropColumn(String column, boolean ifExists) implements AlterItem {}

    /** {@code MODIFY}, which keeps the name, and {@code CHANGE}. */
    record ReplaceColumn(String column, ColumnDefinition by, boolean ifExists) implements AlterItem {}

    record RenameColumn(String column, String newName, boolean ifExists) implements AlterItem {}

    record RenameTable(TableName newName) implements AlterItem {
        @Override
        public EventType type() {
            return EventType.RENAME;
        }
    }

    /** Changes all text columns and the default; null means the schema's character set. */
    record ConvertCharset(@Nullable String charset) implements AlterItem {}

    /** @param ifNotExists whether nothing happens if the table has one already */
    record AddPrimaryKey(List<String> columns, boolean ifNotExists) implements AlterItem {
        @Override
        public EventType type() {
            return EventType.CINDEX;
        }
    }

    /** However it is written; only {@code DROP PRIMARY KEY} itself counts as {@code ALTER}. */
    record DropPrimaryKey(EventType type) implements AlterItem {}

    /** Table options, which decide the type wherever they are. */
    record TableOptions(@Nullable String defaultCharset) implements AlterItem {}

    /** {@code ADD PARTITION PARTITIONS n}, which canal cannot read. */
    record AddPartitionsByCount() implements AlterItem {}

    /** {@code ADD SYSTEM VERSIONING}: with hidden columns, unless the statement names its own. */
    record AddVersioning() implements AlterItem {}

    /** {@code DROP SYSTEM VERSIONING}: the hidden columns go. */
    record DropVersioning() implements AlterItem {}

    /** {@code ADD PERIOD FOR SYSTEM_TIME}, whose columns other items add. */
    record AddPeriod() implements AlterItem {}

    /** Changes nothing of the table schema. */
    record NoColumns(@Nullable EventType type) implements AlterItem {}
}
