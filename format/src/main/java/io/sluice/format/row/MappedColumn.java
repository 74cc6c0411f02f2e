package io.sluice.format.row;

import io.sluice.format.value.ColumnType;
import java.util.Objects;

/** A column of a table map, joined with the column of the table schema. Immutable. */
public final class MappedColumn {
    /** An object of this class, roughly. */
    private static final int OBJECT_BYTES = 40;

    final ColumnType type;

    /** Whether it is in the messages at all; else its values are passed over. */
    final boolean delivered;

    /** Whether row images may have it. */
    final boolean logged;

    /** Whether row images may lack it though they lack nothing else, since the server computes its values. */
    final boolean generated;

    /** How many bytes each of its values takes; less than zero if its first bytes state it. */
    final int fixedLength;

    /** How many bytes of a value state its length; 0 if its length is fixed. */
    final int prefixLength;

    private final String name;
    private final String mysqlType;
    private final boolean key;

    /** A column that is delivered. */
    public MappedColumn(String name, String mysqlType, boolean key, ColumnType type) {
        this(name, mysqlType, key, type, true);
    }

    /**
     * Makes a column.
     *
     * @param name its name
     * @param mysqlType its type as the DDL spells it
     * @param key whether it is in the primary key
     * @param type how its values are read
     * @param delivered whether it is in the messages; else its values are passed over
     */
    public MappedColumn(String name, String mysqlType, boolean key, ColumnType type, boolean delivered) {
        this(name, mysqlType, key, type, delivered, true, false);
    }

    /**
     * Makes a column.
     *
     * @param logged whether row images may have it; else it is in the table map alone, and is not delivered
     * @param generated whether row images may lack it though they lack nothing else, since the server computes its values
     */
    public MappedColumn(
            String name,
            String mysqlType,
            boolean key,
            ColumnType type,
            boolean delivered,
            boolean logged,
            boolean generated) {
        this.name = name;
        this.mysqlType = mysqlType;
        this.key = key;
        this.type = type;
        this.delivered = delivered;
        this.logged = logged;
        this.generated = generated;
        this.fixedLength = type.fixedLength();
        this.prefixLength = type.prefixLength();
    }

    public String name() {
        return name;
    }

    /** Its type as the DDL spells it. */
    public String mysqlType() {
        return mysqlType;
    }

    /** Whether it is in the primary key. */
    public boolean isKey() {
        return key;
    }

    public ColumnType type() {
        return type;
    }

    /** Whether it is in the messages at all. */
    public boolean isDelivered() {
        return delivered;
    }

    /** Whether an update may log its value as the difference to the one before. */
    public boolean hasDifferences() {
        return type.differences() != null;
    }

    /** How much memory it takes, roughly; its name and its types are not its own. */
    int heapBytes() {
        return OBJECT_BYTES;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MappedColumn column
                && name.equals(column.name)
                && mysqlType.equals(column.mysqlType)
                && key == column.key
                && type.equals(column.type)
                && delivered == column.delivered
                && logged == column.logged
                && generated == column.generated;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, mysqlType, key, type, delivered, logged, generated);
    }

    @Override
    public String toString() {
        return name + " " + mysqlType;
    }
}
