package io.sluice.testkit.check;

/** A table by its full name. */
public record TableId(String schema, String table) {
    @Override
    public String toString() {
        return schema + "." + table;
    }
}
