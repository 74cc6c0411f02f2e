package io.sluice.schema.ddl;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.RecheckReason;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.List;

/** A statement that makes or drops sequences of MariaDB. In the binlog a sequence is a table; no entry leaves for it, nor for its rows. */
sealed interface SequenceStatement extends Statement {
    @Override
    default List<StatementChange> changes() {
        return List.of();
    }

    /** Rows of sequences do not leave, so their columns do not matter. */
    @Override
    default List<TableEffect> effects() {
        return List.of();
    }

    /** MariaDB's {@code CREATE SEQUENCE}: in the binlog a sequence is a table, whose rows are left out. */
    record CreateSequence(TableName name, boolean orReplace, boolean ifNotExists) implements SequenceStatement {
        @Override
        public List<TableName> tables() {
            return List.of(name);
        }

        @Override
        public List<NameUse> nameUses() {
            return NameUse.of(tables(), orReplace || ifNotExists ? NameUse.Kind.OTHER : NameUse.Kind.FREE);
        }

        /** Without {@code IF NOT EXISTS} it was not there before. */
        @Override
        public boolean leavesColumns() {
            return ifNotExists;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            if (!ifNotExists || !catalog.tables().exists(name)) {
                catalog.tables()
                        .put(
                                TableSchema.ofSequence(name),
                                ifNotExists ? RecheckReason.MAY_HAVE_BEEN_THERE : RecheckReason.NONE);
            }
        }
    }

    /** MariaDB's {@code DROP SEQUENCE} of one or more; with {@code IF EXISTS} it is in the binlog also if they are tables, which stay. */
    record DropSequences(List<TableName> names, boolean ifExists) implements SequenceStatement {
        @Override
        public List<NameUse> nameUses() {
            return NameUse.of(names, ifExists ? NameUse.Kind.SEQUENCE_IF_ANY : NameUse.Kind.SEQUENCE);
        }

        @Override
        public List<TableName> tables() {
            return names;
        }

        @Override
        public void applyTo(TableCatalog catalog) {
            for (TableName name : names) {
                TableSchema known = catalog.tables().known(name);
                if (!ifExists || known == null || known.isSequence()) {
                    catalog.tables().forget(name);
                }
            }
        }
    }
}
