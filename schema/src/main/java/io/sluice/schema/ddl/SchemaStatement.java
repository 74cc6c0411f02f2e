package io.sluice.schema.ddl;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.table.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that makes, changes or drops a schema. */
sealed interface SchemaStatement extends Statement {
    @Override
    default boolean changesSchemas(TableCatalog catalog) {
        return true;
    }

    /**
     * {@code CREATE DATABASE}.
     *
     * @param orReplace whether a schema of the name is dropped before, with its tables
     * @param charset null if it is that of the session
     */
    record CreateSchema(
            String name,
            boolean orReplace,
            boolean ifNotExists,
            @Nullable String charset) implements SchemaStatement {
        @Override
        public List<NameUse> nameUses() {
            return orReplace ? NameUse.of(List.of(new TableName(name, "")), NameUse.Kind.OTHER) : List.of();
        }

        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofSchema(name));
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            if (orReplace) {
                catalog.tables().dropSchema(name);
            }
            catalog.charsets().create(name, charset, ifNotExists);
        }
    }

    /**
     * {@code ALTER DATABASE}, for which no entry leaves if canal's parser reads it.
     *
     * @param charset null if it stays, or becomes that of the session
     * @param takesServerCharset whether it becomes that of the session's {@code collation_server}
     * @param isBeyondCanal whether canal's parser rejects it
     */
    record AlterSchema(String name, @Nullable String charset, boolean takesServerCharset, boolean isBeyondCanal)
            implements SchemaStatement {
        @Override
        public List<StatementChange> changes() {
            return List.of();
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            if (charset != null || takesServerCharset) {
                catalog.charsets().alter(name, charset);
            }
        }
    }

    /** {@code DROP DATABASE}. */
    record DropSchema(String name) implements SchemaStatement {
        @Override
        public List<StatementChange> changes() {
            return List.of(StatementChange.ofSchema(name));
        }

        @Override
        public List<NameUse> nameUses() {
            return NameUse.of(List.of(new TableName(name, "")), NameUse.Kind.OTHER);
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            catalog.tables().dropSchema(name);
        }
    }
}
