package io.sluice.format.value;

import io.sluice.mysql.type.TypeFamily;
import org.jspecify.annotations.Nullable;

/**
 * What DDL declares about a column, as far as its values depend on it.
 *
 * @param name the name without quotes
 * @param mysqlType the type as the DDL spells it, with arguments
 * @param unsigned whether the column holds no negative numbers
 * @param charset the MySQL character set of its text in lower case, {@code binary} for text types that hold bytes; null if the
 *     type has none or it is not known
 */
public record ColumnDeclaration(
        String name,
        String mysqlType,
        boolean unsigned,
        @Nullable String charset) {
    TypeFamily family() {
        return TypeFamily.of(mysqlType);
    }

    boolean isText() {
        return family().isText(charset);
    }
}
