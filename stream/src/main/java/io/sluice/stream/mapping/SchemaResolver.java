package io.sluice.stream.mapping;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.FullMetadata;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.RowSchemas;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.event.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves the schema of a table map. The metadata of the table map take precedence; what they lack comes from the tracked schema, or, if that
 * does not match, from the source's current schema.
 *
 * <p>For one thread.
 */
final class SchemaResolver {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaResolver.class);

    /**
     * A table map does not say whether its table has system versioning: a table of its own may have such columns and such a key. To leave out the
     * rows that look like old versions could lose others.
     */
    private static final String OLD_VERSIONS =
            ", and if it is a table with system versioning, old versions of rows are delivered as rows";

    private final SchemaTracker tracker;
    private final RowSchemas schemas;
    private final HiddenColumns hidden;

    /** Tables whose mismatch was reported. */
    private final RecentTables<Boolean> warned = new RecentTables<>();

    /** Tables for which the source was asked in vain, so that it is asked once for each version. */
    private final RecentTables<Version> askedInVain = new RecentTables<>();

    SchemaResolver(SchemaTracker tracker, HiddenColumns hidden) {
        this.tracker = tracker;
        this.schemas = tracker.rows();
        this.hidden = hidden;
    }

    /**
     * What was found.
     *
     * @param schema as it is in memory; null if it has none
     * @param columns a column for each of the table map's; empty if the table schema does not fit
     * @param delivered how many of the columns leave
     * @param unlogged those of the columns that no row image has
     * @param mismatch why the table schema does not fit; empty if it does
     */
    record Choice(
            @Nullable TableSchema schema, List<ColumnSchema> columns, int delivered, BitSet unlogged, String mismatch) {
        private static final BitSet NONE = new BitSet(0);

        private static Choice of(TableSchema schema, int count) {
            return new Choice(schema, schema.columns().subList(0, count), count, NONE, "");
        }

        /** Returns the choice for a table map that has columns of multi-valued indexes besides, which are not logged. */
        Choice withArrays(TableMap map) {
            List<ColumnSchema> all = new ArrayList<>(map.types().length);
            BitSet allUnlogged = new BitSet(map.types().length);
            int allDelivered = 0;
            int next = 0;
            for (int i = 0; i < map.types().length; i++) {
                if (map.types()[i] == ColumnCode.TYPED_ARRAY) {
                    all.add(new ColumnSchema("!array!" + i, "json", false, false, null));
                    allUnlogged.set(i);
                } else {
                    allUnlogged.set(i, unlogged.get(next));
                    all.add(columns.get(next++));
                    allDelivered = next <= delivered ? i + 1 : allDelivered;
                }
            }
            return new Choice(schema, all, allDelivered, allUnlogged, mismatch);
        }
    }

    /**
     * What a table map is compared with, and what it says about the table's columns.
     *
     * @param columns a hash of the types, widths, signs, character sets and keys in the table map
     */
    private record Version(TableSchema schema, int columns) {
        static Version of(TableMap map, TableSchema schema) {
            FullMetadata full = map.full();
            return new Version(schema, Arrays.hashCode(new int[] {
                Arrays.hashCode(map.types()),
                Arrays.hashCode(map.metadata()),
                Arrays.hashCode(map.unsigned()),
                Arrays.hashCode(map.collations()),
                full == null ? 0 : Arrays.hashCode(full.keys())
            }));
        }
    }

    /**
     * Chooses.
     *
     * @throws IOException if the source had to be asked, or the history be written, and could not
     */
    Choice of(TableMap map, TableName name, Event.Position position) throws IOException {
        TableMap logged = map.withoutArrays();
        Choice choice = ofLogged(logged, name, position);
        if (logged.types().length == map.types().length) {
            return choice;
        }
        return choice.mismatch().isEmpty()
                ? choice.withArrays(map)
                : ofLogged(map, name, position); // the columns of other indexes are between them
    }

    private Choice ofLogged(TableMap map, TableName name, Event.Position position) throws IOException {
        Choice choice = ofColumns(map, name, position);
        int untold = firstUntold(map, choice.columns());
        if (untold < 0) {
            return choice;
        }
        TableSchema asked =
                schemas.reread(name, answer -> TypeFit.isExact(map, answer) && firstUntold(map, answer.columns()) < 0);
        if (asked != null) {
            warnOnce(name, position, "it was read again from the source", map, choice.schema());
            return Choice.of(asked, map.types().length);
        }
        String mismatch =
                "the character set of the column %s is the default that its schema had then, which is not known"
                        .formatted(choice.columns().get(untold).name());
        return new Choice(choice.schema(), List.of(), 0, Choice.NONE, mismatch);
    }

    /** The first column of text whose character set neither the table map nor the table schema tells; -1 if there is none. */
    private static int firstUntold(TableMap map, List<ColumnSchema> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).isCharsetUnknown() && MetadataSchema.charset(map, i) == null) {
                return i;
            }
        }
        return -1;
    }

    private Choice ofColumns(TableMap map, TableName name, Event.Position position) throws IOException {
        TableSchema known = known(map, name);
        FullMetadata full = map.full();
        if (full != null) {
            List<ColumnSchema> internal = hidden.namedBy(map, full);
            TableSchema named = byMetadata(map.first(map.types().length - internal.size()), name, known, position);
            return named == null ? mismatch(map, known) : withHidden(named, internal);
        }
        if (known != null && TypeFit.isExact(map, known)) {
            return Choice.of(withWidths(map, name, known, position), map.types().length);
        }
        if (known != null && schemas.changesLater(name) && isExplainedByHidden(map, known)) {
            return inexact(map, name, known, position);
        }
        TableSchema asked = schemas.reread(
                name, answer -> TypeFit.isExact(map, answer) || known != null && isBetter(map, answer, known));
        if (asked != null) {
            warnOnce(name, position, "it was read again from the source", map, known);
            if (!TypeFit.isExact(map, asked)) {
                return inexact(map, name, asked, position);
            }
            if (WidthFit.firstMismatch(map, asked) >= 0) {
                warnOfWidths(map, name, asked, position);
            }
            return Choice.of(asked, map.types().length);
        }
        Choice choice = known == null ? mismatch(map, null) : inexact(map, name, known, position);
        return choice.mismatch().isEmpty() ? choice : asSequence(map, name, choice);
    }

    /** The schema of a sequence that was dropped after rows that fit no schema; the mismatch if it was not certainly one. Its widths are chosen by AS. */
    private Choice asSequence(TableMap map, TableName name, Choice mismatch) throws IOException {
        TableSchema sequence = schemas.goneSequence(name, columns -> TypeFit.isExact(map, columns));
        return sequence == null ? mismatch : Choice.of(sequence, map.types().length);
    }

    /** The tracked schema, after what the rows tell about it. */
    private @Nullable TableSchema known(TableMap map, TableName name) throws IOException {
        TableSchema known = tracker.catalog().table(name);
        if (known == null) {
            return null;
        }
        FullMetadata full = map.full();
        return schemas.resolveDoubts(
                name,
                schema -> full == null
                        ? TypeFit.isExact(map, schema) && WidthFit.firstMismatch(map, schema) < 0
                        : MetadataSchema.agrees(map, full, schema));
    }

    /**
     * The schema of a table map whose kinds of types the known one has. If the widths, signs or character sets differ, a DDL was probably missed that
     * has replaced columns by others of the same kinds: then the source's current schema is taken if it fits. If it does not either, the known
     * one is kept, since a column may only have become wider.
     */
    private TableSchema withWidths(TableMap map, TableName name, TableSchema known, Event.Position position)
            throws IOException {
        if (WidthFit.firstMismatch(map, known) < 0 || Version.of(map, known).equals(askedInVain.get(name))) {
            return known;
        }
        TableSchema asked =
                schemas.reread(name, answer -> TypeFit.isExact(map, answer) && WidthFit.firstMismatch(map, answer) < 0);
        if (asked != null) {
            warnOnce(name, position, "it was read again from the source", map, known);
            return asked;
        }
        warnOfWidths(map, name, known, position);
        return known;
    }

    private void warnOfWidths(TableMap map, TableName name, TableSchema kept, Event.Position position) {
        askedInVain.put(name, Version.of(map, kept));
        LOG.warn(
                "row image has other widths than the tracked schema, whose column names are kept: table={} at={} reason={}",
                name,
                position,
                describe(map, kept));
    }

    private static Choice withHidden(TableSchema schema, List<ColumnSchema> hidden) {
        int delivered = schema.columns().size();
        List<ColumnSchema> columns = new ArrayList<>(schema.columns());
        columns.addAll(hidden);
        return new Choice(schema, columns, delivered, Choice.NONE, "");
    }

    /** Null if the table map does not tell enough. */
    private @Nullable TableSchema byMetadata(
            TableMap map, TableName name, @Nullable TableSchema known, Event.Position position) throws IOException {
        FullMetadata full = Objects.requireNonNull(map.full());
        if (known != null && MetadataSchema.agrees(map, full, known)) {
            return MetadataSchema.mayLackKey(full, known) ? withKey(map, full, name, known, position) : known;
        }
        TableSchema fitting = schemas.reread(name, answer -> MetadataSchema.agrees(map, full, answer));
        if (fitting == null) {
            fitting = MetadataSchema.of(map, full, known);
            if (fitting == null || fitting.equals(known)) {
                return fitting;
            }
            tracker.catalog().takeDerived(fitting);
        }
        String named = "the columns are those that the table map names";
        boolean mayHaveVersions =
                known == null && hidden == HiddenColumns.MARIADB_HASHES && MetadataSchema.mayHaveVersions(map, full);
        warnOnce(name, position, mayHaveVersions ? named + OLD_VERSIONS : named, map, known);
        return fitting;
    }

    /** Asks the source whether the key that the table map names is a primary key that was added by a DDL that was missed, or only a unique one. */
    private TableSchema withKey(
            TableMap map, FullMetadata full, TableName name, TableSchema known, Event.Position position)
            throws IOException {
        Version version = Version.of(map, known);
        if (version.equals(askedInVain.get(name))) {
            return known;
        }
        TableSchema keyed = schemas.reread(
                name,
                answer -> MetadataSchema.isKeyed(answer) && MetadataSchema.agrees(map, full, answer),
                MetadataSchema::isKeyed);
        if (keyed == null) {
            askedInVain.put(name, version);
            return known;
        }
        warnOnce(name, position, "its primary key was read again from the source", map, known);
        return keyed;
    }

    /** Whether all that a table map has more than a schema is hidden, and only the columns of that one have the widths of the table map. */
    private boolean isBetter(TableMap map, TableSchema answer, TableSchema known) {
        return isExplainedByHidden(map, answer)
                && WidthFit.firstMismatch(map, answer) < 0
                && WidthFit.firstMismatch(map, known) >= 0;
    }

    private boolean isExplainedByHidden(TableMap map, TableSchema known) {
        return TypeFit.firstMismatch(map, known) < 0 && hidden.beyond(map, known) != null;
    }

    /** The number of columns differs, and no other schema is known. */
    private Choice inexact(TableMap map, TableName name, TableSchema known, Event.Position position)
            throws IOException {
        int count = map.types().length;
        if (known.columns().size() < count && !schemas.changesLater(name)) {
            Choice indexed = withIndexes(map, name, known);
            if (indexed != null) {
                return indexed;
            }
        }
        if (known.columns().size() > count) {
            return withFewer(map, name, known, position);
        }
        if (TypeFit.firstMismatch(map, known) >= 0) {
            return mismatch(map, known);
        }
        List<ColumnSchema> more = hidden.beyond(map, known);
        if (more == null) {
            return mismatch(map, known);
        }
        if (WidthFit.firstMismatch(map, known) >= 0 && !Version.of(map, known).equals(askedInVain.get(name))) {
            warnOfWidths(map, name, known, position);
        }
        List<ColumnSchema> columns = new ArrayList<>(known.columns());
        columns.addAll(more);
        return new Choice(
                known, columns, hidden.areDelivered() ? count : known.columns().size(), Choice.NONE, "");
    }

    /**
     * Rows have fewer columns than the table schema: those that they have, if the types leave no doubt which they are. The first ones, as canal
     * takes them, need not be the right ones.
     */
    private Choice withFewer(TableMap map, TableName name, TableSchema known, Event.Position position) {
        int count = map.types().length;
        List<ColumnSchema> only = TypeFit.onlyChoice(map, known);
        if (only != null) {
            warnOnce(name, position, "those of its columns are taken that fit", map, known);
            return new Choice(known, only, count, Choice.NONE, "");
        }
        if (schemas.isPresentAccepted(name) && TypeFit.firstMismatch(map, known) < 0) {
            warnOnce(name, position, "the first columns of its schema are taken, as canal does", map, known);
            return Choice.of(known, count);
        }
        return mismatch(map, known);
    }

    /**
     * With the columns in which a server keeps the values of indexes on expressions; null if those of the source do not explain the table map.
     * They are between the others, since a column that is added later comes after them, and are in the table maps of early releases of MySQL
     * 8.0, while row images do not have them.
     */
    private @Nullable Choice withIndexes(TableMap map, TableName name, TableSchema known) throws IOException {
        List<StoredColumn> stored = schemas.storedColumns(name);
        if (stored == null || stored.size() != map.types().length) {
            return null;
        }
        List<ColumnSchema> columns = new ArrayList<>(stored.size());
        BitSet unlogged = new BitSet(stored.size());
        int next = 0;
        for (int i = 0; i < stored.size(); i++) {
            StoredColumn column = stored.get(i);
            boolean isNext = next < known.columns().size()
                    && IdentifierCase.areSame(known.columns().get(next).name(), column.name());
            if (isNext && TypeFit.fits(map.types()[i], known.columns().get(next))) {
                columns.add(known.columns().get(next++));
            } else if (!isNext && column.isOfIndex()) {
                columns.add(new ColumnSchema(column.name(), column.mysqlType(), false, false, null));
                unlogged.set(i);
            } else {
                return null;
            }
        }
        return next < known.columns().size() ? null : new Choice(known, columns, columns.size(), unlogged, "");
    }

    /** Forgets what was reported of a table; or, with an empty table name, of all tables of a schema. */
    void forget(TableName gone) {
        warned.remove(gone);
        askedInVain.remove(gone);
    }

    private static Choice mismatch(TableMap map, @Nullable TableSchema known) {
        return new Choice(known, List.of(), 0, Choice.NONE, describe(map, known));
    }

    private void warnOnce(
            TableName name, Event.Position position, String what, TableMap map, @Nullable TableSchema known) {
        tracker.counts().countTableCorrected();
        if (warned.get(name) == null) {
            warned.put(name, true);
            LOG.warn(
                    "row image does not match the tracked schema, {}: table={} at={} reason={}",
                    what,
                    name,
                    position,
                    describe(map, known));
        }
    }

    private static String describe(TableMap map, @Nullable TableSchema known) {
        if (known == null) {
            return "its schema is not known, and the source does not show the table as it was then: it was dropped, a DDL that follows changes it, or the user"
                    + " lacks a privilege on it";
        }
        FullMetadata full = map.full();
        String ours = known.columns().stream()
                .map(column -> column.name() + " " + column.mysqlType() + (column.primaryKey() ? " key" : ""))
                .collect(Collectors.joining(", ", "(", ")"));
        String theirs = full != null
                ? "names the columns " + full.names()
                : "has %d columns%s".formatted(map.types().length, firstMismatch(map, known));
        return "the table map %s, the table schema has %d: %s"
                .formatted(theirs, known.columns().size(), ours);
    }

    private static String firstMismatch(TableMap map, TableSchema known) {
        int kind = TypeFit.firstMismatch(map, known);
        int width = WidthFit.firstMismatch(map, known);
        if (kind >= 0) {
            return ", of which number %d is of the binary type %d".formatted(kind + 1, map.types()[kind]);
        }
        return width < 0 || known.columns().size() > map.types().length
                ? ""
                : ", of which number %d is of the binary type %d with %s"
                        .formatted(width + 1, map.types()[width], WidthFit.describe(map, width));
    }
}
