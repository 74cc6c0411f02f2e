package io.sluice.schema.filter;

/**
 * The expressions of a filter, as texts.
 *
 * <p>Made from {@link #ALL} by the methods {@code with…}, since texts beside each other are easily swapped.
 *
 * @param include regular expressions of {@code schema.table}, separated by commas; blank keeps all tables
 * @param exclude the same, of tables that are left out; blank leaves out none
 * @param keptColumns {@code schema.table:column/column}, separated by commas, of columns that are kept; blank keeps all
 * @param droppedColumns the same, of columns that are left out; blank leaves out none
 */
public record FilterRules(String include, String exclude, String keptColumns, String droppedColumns) {
    /** Keeps all tables and columns. */
    public static final FilterRules ALL = new FilterRules("", "", "", "");

    /** The expressions of tables that are in force in a filter now, without those of columns. */
    public static FilterRules ofTablesIn(TableFilter filter) {
        return ALL.withIncluded(filter.includedTables()).withExcluded(filter.excludedTables());
    }

    /** Returns a copy with the given expressions of the tables that are included; blank for all. */
    public FilterRules withIncluded(String expressions) {
        return new FilterRules(expressions, exclude, keptColumns, droppedColumns);
    }

    /** Returns a copy with the given expressions of the tables that are excluded; blank for none. */
    public FilterRules withExcluded(String expressions) {
        return new FilterRules(include, expressions, keptColumns, droppedColumns);
    }

    /** Returns a copy with the given columns of tables, of which only these are kept; blank for all. */
    public FilterRules withKeptColumns(String columns) {
        return new FilterRules(include, exclude, columns, droppedColumns);
    }

    /** Returns a copy with the given columns that are left out; blank for none. */
    public FilterRules withDroppedColumns(String columns) {
        return new FilterRules(include, exclude, keptColumns, columns);
    }

    /**
     * Makes the filter of one stream, whose clients may replace its include list.
     *
     * @throws io.sluice.protocol.pattern.MarkedSyntaxException if an expression cannot be read; it says which, and where
     */
    public TableFilter tables() {
        return new TableFilter(include, exclude, columns());
    }

    /**
     * Makes the filter of columns alone.
     *
     * @throws io.sluice.protocol.pattern.MarkedSyntaxException if an expression cannot be read; it says which, and where
     */
    public ColumnFilter columns() {
        return new ColumnFilter(keptColumns, droppedColumns);
    }
}
