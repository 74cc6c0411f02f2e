package io.sluice.testkit.check;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Selects the values of a table so that the driver has nothing to interpret, and nothing is rounded for display. */
public final class SelectedValue {
    private SelectedValue() {}

    /** What is to be selected for a column; {@link #read} reads it. */
    public static String expression(String name, ValueKind kind) {
        String column = "`" + name.replace("`", "``") + "`";
        return switch (kind) {
            case INTEGER, DECIMAL, JSON, FIXED_BYTES, BYTES, GEOMETRY, VECTOR -> column;
            case TEXT -> "CONVERT(" + column + " USING utf8mb4)"; // the driver knows some charsets less well
            case ZEROFILL -> column + " + 0";
            case FLOAT, DOUBLE -> column + " * 1e0";
            case BIT, MEMBERS -> "CAST(" + column + " AS UNSIGNED)";
            case TEMPORAL -> "CAST(" + column + " AS CHAR)";
        };
    }

    /**
     * The text of a value in the row where a result is.
     *
     * @param index of the column in the result, from 1
     * @return null for NULL
     */
    public static @Nullable String read(ResultSet rows, int index, ValueKind kind) throws SQLException {
        return switch (kind) {
            case FIXED_BYTES, BYTES, GEOMETRY, VECTOR -> {
                byte[] bytes = rows.getBytes(index);
                yield bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
            }
            case FLOAT -> {
                double number = rows.getDouble(index);
                yield rows.wasNull() ? null : Float.toString((float) number);
            }
            case DOUBLE -> {
                double number = rows.getDouble(index);
                yield rows.wasNull() ? null : Double.toString(number);
            }
            default -> rows.getString(index);
        };
    }
}
