package io.sluice.format.value;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.charset.TextDecoder;
import io.sluice.mysql.type.TypeFamily;
import java.sql.Types;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the type of a column: by the table map, and by the table schema where the table map is not enough.
 *
 * <p>Columns whose types differ in nothing share one object, so that what is computed from it can be shared, too. Thread-safe.
 */
public final class ColumnTypes {
    /** A type for columns that are in table maps alone, whose own may be unknown: no value is read by it. */
    public static final ColumnType UNLOGGED = IntegerType.of(1, false);

    private static final String BINARY = "binary";

    private static final Pattern FRACTION = Pattern.compile("\\((\\d)\\)");

    private final ValueOptions options;
    private final TimeZoneOffsets zone;

    /** As many as there are forms: some thousands, if a stream had all of them. */
    private final Map<Form, ColumnType> types = new ConcurrentHashMap<>();

    /**
     * All that a type depends on.
     *
     * @param meta the table map's metadata, as far as it matters
     * @param charset of texts and byte strings; empty for other types
     * @param family where it is more specific than the code, else {@link TypeFamily#OTHER}
     * @param digits of the fraction of a second, where the table map does not have it
     */
    private record Form(int code, int meta, boolean isUnsigned, String charset, TypeFamily family, int digits) {}

    /** Makes the choice of one stream. */
    public ColumnTypes(ValueOptions options) {
        this.options = options;
        this.zone = new TimeZoneOffsets(options.zone());
    }

    /** Values as canal writes them, in this zone. */
    public static ColumnTypes defaults(ZoneId zone) {
        return new ColumnTypes(ValueOptions.in(zone));
    }

    /**
     * The type of one column.
     *
     * @param map the table map
     * @param index the column in it, from 0
     * @param column what DDL declares about it
     * @throws MalformedEventException if the table map's type or metadata is impossible
     */
    public ColumnType of(TableMap map, int index, ColumnDeclaration column) {
        Form form = formOf(map, index, column);
        ColumnType known = types.get(form);
        return known == null ? types.computeIfAbsent(form, unknown -> make(unknown, column)) : known;
    }

    private Form formOf(TableMap map, int index, ColumnDeclaration column) {
        int code = map.types()[index];
        int meta = map.metadata()[index];
        return switch (code) {
            case ColumnCode.TINY, ColumnCode.SHORT, ColumnCode.INT24, ColumnCode.LONG, ColumnCode.LONGLONG -> {
                boolean[] unsigned = map.unsigned();
                boolean isUnsigned = unsigned == null ? column.unsigned() : unsigned[index];
                yield new Form(code, 0, isUnsigned, "", TypeFamily.OTHER, 0);
            }
            case ColumnCode.TIME, ColumnCode.DATETIME, ColumnCode.TIMESTAMP ->
                new Form(code, 0, false, "", TypeFamily.OTHER, digits(column));
            case ColumnCode.STRING -> {
                String charset = charsetOf(map, index, column);
                int kept = options.exactBinary() && charset.equals(BINARY) ? meta : lengthBytes(meta);
                yield new Form(code, kept, false, charset, column.family(), 0);
            }
            case ColumnCode.VARCHAR, ColumnCode.VAR_STRING, ColumnCode.MARIADB_VARCHAR_COMPRESSED ->
                new Form(code, lengthBytes(meta), false, charsetOf(map, index, column), column.family(), 0);
            case ColumnCode.TINY_BLOB,
                    ColumnCode.MEDIUM_BLOB,
                    ColumnCode.LONG_BLOB,
                    ColumnCode.BLOB,
                    ColumnCode.MARIADB_BLOB_COMPRESSED ->
                new Form(code, meta, false, charsetOf(map, index, column), TypeFamily.OTHER, 0);
            default -> new Form(code, meta, false, "", TypeFamily.OTHER, 0);
        };
    }

    private ColumnType make(Form form, ColumnDeclaration column) {
        ColumnType type = choose(form, column);
        return options.steadySqlTypes() ? new SteadyType(type) : type;
    }

    private ColumnType choose(Form form, ColumnDeclaration column) {
        int meta = form.meta();
        boolean isUnsigned = form.isUnsigned();
        return switch (form.code()) {
            case ColumnCode.TINY -> IntegerType.of(1, isUnsigned);
            case ColumnCode.SHORT -> IntegerType.of(2, isUnsigned);
            case ColumnCode.INT24 -> IntegerType.of(3, isUnsigned);
            case ColumnCode.LONG -> IntegerType.of(4, isUnsigned);
            case ColumnCode.LONGLONG -> IntegerType.of(8, isUnsigned);
            case ColumnCode.NEWDECIMAL -> new DecimalType(meta & 0xFF, meta >> 8, options.exactDecimals());
            case ColumnCode.FLOAT -> new FloatingType(4);
            case ColumnCode.DOUBLE -> new FloatingType(8);
            case ColumnCode.BIT -> new BitType(bytes((meta >> 8) + ((meta & 0xFF) == 0 ? 0 : 1), column));
            case ColumnCode.YEAR -> TemporalForm.YEAR.type(0, zone);
            case ColumnCode.DATE, ColumnCode.NEWDATE -> TemporalForm.DATE.type(0, zone);
            case ColumnCode.TIME -> old(TemporalForm.OLD_TIME, MariaDbTemporalType.Kind.TIME, form.digits());
            case ColumnCode.TIME2 -> TemporalForm.TIME.type(meta, zone);
            case ColumnCode.DATETIME ->
                old(TemporalForm.OLD_DATETIME, MariaDbTemporalType.Kind.DATETIME, form.digits());
            case ColumnCode.DATETIME2 -> TemporalForm.DATETIME.type(meta, zone);
            case ColumnCode.TIMESTAMP ->
                old(TemporalForm.OLD_TIMESTAMP, MariaDbTemporalType.Kind.TIMESTAMP, form.digits());
            case ColumnCode.TIMESTAMP2 -> TemporalForm.TIMESTAMP.type(meta, zone);
            case ColumnCode.ENUM -> MemberType.ofEnum(bytes(meta, column));
            case ColumnCode.SET -> MemberType.ofSet(bytes(meta, column));
            case ColumnCode.JSON -> new JsonType(prefix(meta, column), JsonForm.of(options));
            case ColumnCode.GEOMETRY -> binary(prefix(meta, column), Types.BLOB);
            case ColumnCode.VECTOR -> new VectorType(prefix(meta, column));
            case ColumnCode.VARCHAR, ColumnCode.VAR_STRING ->
                form.family() == TypeFamily.VECTOR // as MariaDB stores them
                        ? new VectorType(meta)
                        : string(meta, Types.VARCHAR, form.charset());
            case ColumnCode.STRING ->
                switch (form.family()) {
                    case UUID -> new IdentifierType(IdentifierType.Form.UUID);
                    case INET4 -> new IdentifierType(IdentifierType.Form.INET4);
                    case INET6 -> new IdentifierType(IdentifierType.Form.INET6);
                    default ->
                        options.exactBinary() && form.charset().equals(BINARY)
                                ? new FixedBytesType(meta, Types.BLOB, decoder(BINARY))
                                : string(meta, Types.CHAR, form.charset());
                };
            case ColumnCode.TINY_BLOB, ColumnCode.MEDIUM_BLOB, ColumnCode.LONG_BLOB, ColumnCode.BLOB ->
                string(prefix(meta, column), Types.CLOB, form.charset());
            case ColumnCode.MARIADB_VARCHAR_COMPRESSED -> compressed(meta, Types.VARCHAR, form.charset());
            case ColumnCode.MARIADB_BLOB_COMPRESSED -> compressed(prefix(meta, column), Types.CLOB, form.charset());
            default ->
                throw new MalformedEventException(
                        "column %s is of the unknown type %d".formatted(column.name(), form.code()));
        };
    }

    /** A type before MySQL 5.6; with a fraction of a second, which only MariaDB's has, it is stored otherwise. */
    private ColumnType old(TemporalForm form, MariaDbTemporalType.Kind kind, int digits) {
        return digits == 0 ? form.type(0, zone) : new MariaDbTemporalType(kind, digits, zone);
    }

    private static int digits(ColumnDeclaration column) {
        Matcher fraction = FRACTION.matcher(column.mysqlType());
        return fraction.find() ? Integer.parseInt(fraction.group(1)) : 0;
    }

    /** How many bytes the length of a value takes that has so many bytes at most. */
    private static int lengthBytes(int mostBytes) {
        return mostBytes > 255 ? 2 : 1;
    }

    private static int bytes(int count, ColumnDeclaration column) {
        if (count < 1 || count > 8) {
            throw new MalformedEventException("column %s has numbers of %d bytes".formatted(column.name(), count));
        }
        return count;
    }

    private static int prefix(int length, ColumnDeclaration column) {
        if (length < 1 || length > 4) {
            throw new MalformedEventException("column %s has lengths of %d bytes".formatted(column.name(), length));
        }
        return length;
    }

    /** The table map's collation takes precedence; without one, a column that the table schema does not call text holds bytes. */
    private String charsetOf(TableMap map, int index, ColumnDeclaration column) {
        int[] collations = map.collations();
        if (collations != null && collations[index] != 0) {
            String charset = MySqlCharsets.charsetOf(collations[index]);
            if (charset != null) {
                return charset;
            }
        }
        if (!column.isText()) {
            return BINARY;
        }
        @Nullable String charset = column.charset();
        return charset == null ? options.fallbackCharset() : charset;
    }

    private static ColumnType string(int prefixLength, int sqlType, String charset) {
        if (charset.equals(BINARY)) {
            return binary(prefixLength, Types.BLOB);
        }
        TextDecoder decoder = decoder(charset);
        return decoder.isUtf8()
                ? new Utf8Type(prefixLength, sqlType, decoder)
                : new TextType(prefixLength, sqlType, decoder);
    }

    private static ColumnType compressed(int prefixLength, int sqlType, String charset) {
        return new CompressedType(
                prefixLength,
                charset.equals(BINARY) ? Types.BLOB : sqlType,
                decoder(charset),
                MySqlCharsets.longestCharacter(charset));
    }

    private static ColumnType binary(int prefixLength, int sqlType) {
        return new TextType(prefixLength, sqlType, decoder(BINARY));
    }

    private static TextDecoder decoder(String charset) {
        TextDecoder decoder = MySqlCharsets.decoder(charset);
        if (decoder == null) {
            throw new MalformedEventException("a column is in the unknown character set " + charset);
        }
        return decoder;
    }
}
