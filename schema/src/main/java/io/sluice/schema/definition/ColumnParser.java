package io.sluice.schema.definition;

import io.sluice.schema.definition.ColumnDefinition.Position;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.Versioning;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a column definition: name, type, and the attributes that matter to rows. Others are stepped over, so
 * that attributes of servers to come do no harm.
 */
final class ColumnParser {
    private static final int LARGEST_SINGLE_PRECISION = 24;
    private static final Pattern BYTES =
            Pattern.compile("(|tiny|medium|long|long )(blob|varbinary|binary)(|\\(.*)", Pattern.CASE_INSENSITIVE);

    private final TokenCursor cursor;
    private final CharsetClause charset = new CharsetClause();
    private boolean primaryKey;
    private boolean unsigned;
    private boolean zerofill;
    private @Nullable MemberList members;
    private @Nullable Position position;
    private Versioning versioning = Versioning.NONE;
    private boolean invisible;
    private boolean numbersRows;
    private boolean generated;
    private boolean startsVersioning;
    private boolean isUnversioned;

    /** Words that begin clauses: without quotes they name no column, so a clause that is not known is not taken for one. */
    private static final List<String> NO_NAMES = List.of(
            "IF",
            "NOT",
            "EXISTS",
            "CHECK",
            "CONSTRAINT",
            "PRIMARY",
            "FOREIGN",
            "UNIQUE",
            "FULLTEXT",
            "SPATIAL",
            "FOR",
            "BY",
            "TO");

    private ColumnParser(TokenCursor cursor) {
        this.cursor = cursor;
    }

    /** Reads from the column's name up to the comma or parenthesis after the definition. */
    static ColumnDefinition parse(TokenCursor cursor) throws UnreadableSqlException {
        if (NO_NAMES.stream().anyMatch(cursor::isAt)) {
            throw new UnreadableSqlException(
                    "expected a column, found '%s'".formatted(cursor.peek().shown()));
        }
        String name = cursor.name();
        return new ColumnParser(cursor).parse(name);
    }

    private ColumnDefinition parse(String name) throws UnreadableSqlException {
        String type = type();
        while (!cursor.isAtItemEnd() && !cursor.isAt("PARTITION", "BY")) {
            attribute();
        }
        if (isCollatedAsText()) {
            type = asText(type);
        }
        if (cursor.source().mariaDb() && type.equalsIgnoreCase("JSON")) {
            type = CharsetConversion.jsonIn(charset.charset(), type);
        }
        boolean serial = type.equalsIgnoreCase("SERIAL");
        String signs = zerofill ? " unsigned zerofill" : unsigned ? " unsigned" : "";
        return new ColumnDefinition(
                name,
                type + signs,
                members,
                primaryKey,
                unsigned || zerofill || serial,
                charset.charset(),
                position,
                versioning,
                invisible && (numbersRows || serial) && cursor.source().keepsGeneratedKeyFirst(),
                generated && cursor.source().mariaDb(),
                startsVersioning,
                isUnversioned);
    }

    private boolean isCollatedAsText() {
        String set = charset.charset();
        return set == null ? charset.isOfUntoldText() : !set.equals("binary");
    }

    /** The type with the words for text in place of those for bytes, as MariaDB takes a type for bytes with a collation of text; others as they are. */
    private static String asText(String type) {
        Matcher bytes = BYTES.matcher(type);
        if (!bytes.matches()) {
            return type;
        }
        String text = switch (bytes.group(2).toLowerCase(Locale.ROOT)) {
            case "blob" -> "text";
            case "varbinary" -> "varchar";
            default -> "char";
        };
        boolean isUpper = Character.isUpperCase(bytes.group(2).charAt(0));
        return bytes.group(1) + (isUpper ? text.toUpperCase(Locale.ROOT) : text) + bytes.group(3);
    }

    /**
     * The type's words in their author's spelling, single blanks between them, and its arguments without blanks; members of an ENUM or SET
     * are kept apart.
     */
    private String type() throws UnreadableSqlException {
        String written = typeWord();
        String qualifier = "";
        if (cursor.acceptSign('.')) {
            qualifier = written;
            written = typeWord();
        }
        String name = cursor.typeNames().usual(qualifier, written, cursor.isAtSign('('));
        StringBuilder type = new StringBuilder(name);
        String word = name.toUpperCase(Locale.ROOT);
        switch (word) {
            case "NATIONAL" -> {
                charset.name("utf8mb3");
                appendOneOf(type, "CHAR", "CHARACTER", "VARCHAR", "VARCHARACTER");
                appendOneOf(type, "VARYING");
            }
            case "NCHAR" -> {
                charset.name("utf8mb3");
                appendOneOf(type, "VARCHAR", "VARCHARACTER", "VARYING");
            }
            case "NVARCHAR" -> charset.name("utf8mb3");
            case "CHAR", "CHARACTER" -> appendOneOf(type, "VARYING");
            case "DOUBLE" -> appendOneOf(type, "PRECISION");
            case "ENUM", "SET" -> {
                if (cursor.isAtSign('(')) {
                    members = MemberList.parse(cursor);
                }
                return type.toString();
            }
            case "LONG" -> {
                if (cursor.isAt("CHAR", "VARYING") || cursor.isAt("CHARACTER", "VARYING")) {
                    appendOneOf(type, "CHAR", "CHARACTER");
                    appendOneOf(type, "VARYING");
                } else {
                    appendOneOf(type, "VARCHAR", "VARCHARACTER", "VARBINARY");
                }
            }
            default -> {
                // one word is all
            }
        }
        if (!cursor.isAtSign('(')) {
            return type.toString();
        }
        String arguments = arguments();
        if ((word.equals("FLOAT") || word.equals("FLOAT4")) && isDoublePrecision(arguments)) {
            return "double" + arguments;
        }
        if (word.equals("BIT") && arguments.equals("(0)")) {
            return type.append("(1)").toString(); // as MariaDB makes it
        }
        return type.append(arguments).toString();
    }

    /** MariaDB takes some names also in quotes. */
    private String typeWord() throws UnreadableSqlException {
        Token token = cursor.next();
        if (token.kind() != Kind.WORD && token.kind() != Kind.NAME) {
            throw new UnreadableSqlException("expected a type, found '%s'".formatted(token.shown()));
        }
        return token.text();
    }

    private void appendOneOf(StringBuilder type, String... words) {
        for (String word : words) {
            if (cursor.isAt(word)) {
                type.append(' ').append(cursor.next().text());
                return;
            }
        }
    }

    /** Length or precision, in parentheses. */
    private String arguments() throws UnreadableSqlException {
        StringJoiner arguments = new StringJoiner(",", "(", ")");
        cursor.expectSign('(');
        StringBuilder argument = new StringBuilder();
        while (!cursor.isAtSign(')')) {
            Token token = cursor.next();
            if (token.kind() == Kind.END) {
                throw new UnreadableSqlException("a parenthesis is not closed");
            }
            if (token.isSign(',')) {
                arguments.add(argument);
                argument.setLength(0);
            } else {
                argument.append(token.text());
            }
        }
        cursor.next();
        return arguments.add(argument).toString();
    }

    /** {@code FLOAT(p)} with more digits than a float has is a double. */
    private static boolean isDoublePrecision(String arguments) {
        String precision = arguments.substring(1, arguments.length() - 1);
        return precision.length() <= 3
                && precision.chars().allMatch(c -> c >= '0' && c <= '9')
                && !precision.isEmpty()
                && Integer.parseInt(precision) > LARGEST_SINGLE_PRECISION;
    }

    private void attribute() throws UnreadableSqlException {
        if (cursor.peek().kind() != Kind.WORD) {
            cursor.skipOne();
            return;
        }
        if (charset.accept(cursor)) {
            return;
        }
        String word = cursor.next().text().toUpperCase(Locale.ROOT);
        switch (word) {
            case "UNSIGNED" -> unsigned = true;
            case "ZEROFILL" -> zerofill = true;
            case "ASCII" -> charset.name("latin1");
            case "UNICODE" -> charset.name("ucs2");
            case "BYTE" -> charset.name("binary");
            case "PRIMARY" -> {
                cursor.accept("KEY");
                primaryKey = true;
            }
            case "UNIQUE" -> cursor.accept("KEY");
            case "KEY" -> primaryKey = true;
            case "DEFAULT" -> skipDefault();
            case "UPDATE", "COLUMN_FORMAT", "STORAGE", "COMMENT", "SET" -> skipValue();
            case "REFERENCES" -> cursor.tableName("");
            case "CONSTRAINT" -> {
                if (!cursor.isAt("CHECK")) {
                    cursor.name();
                }
            }
            case "AS" -> generated |= cursor.isAtSign('(');
            case "ROW" -> rowPeriod();
            case "WITH" -> startsVersioning |= cursor.accept("SYSTEM", "VERSIONING");
            case "WITHOUT" -> isUnversioned |= cursor.accept("SYSTEM", "VERSIONING");
            case "INVISIBLE" -> invisible = true;
            case "AUTO_INCREMENT" -> numbersRows = true;
            case "FIRST" -> position = new Position(null);
            case "AFTER" -> position = new Position(cursor.name());
            default -> {
                // says nothing about the table schema
            }
        }
    }

    /** {@code GENERATED ALWAYS AS ROW START} or {@code END}, or our own mark after it. */
    private void rowPeriod() {
        if (cursor.accept("START")) {
            versioning = cursor.accept("HIDDEN") ? Versioning.HIDDEN_ROW_START : Versioning.NONE;
        } else if (cursor.accept("END")) {
            versioning = cursor.accept("HIDDEN") ? Versioning.HIDDEN_ROW_END : Versioning.ROW_END;
        }
    }

    /** The expressions that MariaDB takes without parentheses, or a value's first token. */
    private void skipDefault() throws UnreadableSqlException {
        if (cursor.isAt("CASE")) {
            skipCase();
        } else if ((cursor.isAt("NEXT", "VALUE") || cursor.isAt("PREVIOUS", "VALUE"))
                && cursor.peek(2).isWord("FOR")) {
            cursor.next();
            cursor.next();
            cursor.next();
            cursor.tableName("");
        } else if (cursor.peek().kind() == Kind.WORD || cursor.peek().kind() == Kind.NAME) {
            cursor.next();
            skipQualifiedName();
        } else if (cursor.isAtSign('.')) {
            skipQualifiedName();
        } else {
            skipValue();
        }
    }

    private void skipQualifiedName() {
        while (cursor.acceptSign('.')) {
            cursor.next();
        }
    }

    /** To the {@code END} that is the expression's own. */
    private void skipCase() throws UnreadableSqlException {
        int depth = 0;
        boolean isBehindName = false;
        do {
            Kind kind = cursor.peek().kind();
            if (kind == Kind.END) {
                throw new UnreadableSqlException("a CASE is not ended");
            }
            if (isBehindName && cursor.acceptSign('.')) { // else that of a number
                cursor.next(); // a name, whatever word it is
                continue;
            }
            isBehindName = kind == Kind.WORD || kind == Kind.NAME;
            if (cursor.accept("CASE")) {
                depth++;
            } else if (cursor.accept("END")) {
                depth--;
            } else {
                cursor.skipOne();
            }
        } while (depth > 0);
    }

    /** A value's first token, so that a word in it is not taken for an attribute; what follows it can do no harm. */
    private void skipValue() throws UnreadableSqlException {
        if (!cursor.isAtItemEnd()) {
            cursor.skipOne();
        }
    }
}
