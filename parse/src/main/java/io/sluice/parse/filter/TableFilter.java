package io.sluice.parse.filter;

import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.NamePatterns;
import io.sluice.protocol.pattern.NamePatterns.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Decides which tables pass: those that an include list matches, unless an exclude list matches them too; and which of
 * their columns do.
 *
 * <p>A list is regular expressions of {@code schema.table} in lower case, separated by commas outside of brackets, in canal's
 * dialect. Verdicts are remembered for the tables that were asked for last. Safe for use by several threads.
 */
public final class TableFilter {
    private static final int MOST_REMEMBERED = 16_384;

    /** What is left of {@code shop\..*} when a properties file has taken its backslash. */
    private static final Pattern TWO_DOTS = Pattern.compile("\\w\\.\\.[*+]");

    private final NamePatterns excludes;
    private final ColumnFilter columns;
    private final Map<String, Verdict> verdicts = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verdict> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** Changed only while the verdicts are locked. */
    private volatile NamePatterns includes;

    private volatile int version;

    private record Verdict(boolean included, boolean excluded) {}

    /** Makes a filter that lets all columns pass. */
    public TableFilter(String includes, String excludes) {
        this(includes, excludes, ColumnFilter.NONE);
    }

    /**
     * Makes a filter.
     *
     * @param includes what passes; empty lets all pass
     * @param excludes what does not; empty stops nothing
     * @param columns which columns of the tables pass
     * @throws MarkedSyntaxException if an expression cannot be read; it says which, and where
     */
    public TableFilter(String includes, String excludes, ColumnFilter columns) {
        this.includes = NamePatterns.parse(includes);
        this.excludes = NamePatterns.parse(excludes);
        this.columns = columns;
    }

    /**
     * Lets other tables pass from now on; what is excluded stays excluded. For the stream's clients, which may name their
     * tables while it runs.
     *
     * @param other what passes; empty lets all pass
     * @throws MarkedSyntaxException if an expression cannot be read; nothing has changed then
     */
    public void include(String other) {
        NamePatterns patterns = NamePatterns.parse(other);
        synchronized (verdicts) {
            includes = patterns;
            verdicts.clear();
            version++;
        }
    }

    /** Counts how often {@link #include} has changed the answers, so that whoever remembers some can tell. */
    public int version() {
        return version;
    }

    /** What in a list is probably not meant as canal and we read it: sentences for the operator. */
    public static List<String> doubtsOf(String list) {
        List<String> doubts = new ArrayList<>();
        for (Part part : NamePatterns.parse(list).parts()) {
            if (!part.text().equals(part.text().strip())) {
                doubts.add(("the blank beside a comma belongs to the expression '%s', which therefore matches no usual"
                                + " table: remove it")
                        .formatted(part.text()));
            }
            if (part.hasBareAlternatives()) {
                doubts.add(
                        ("of the alternatives in '%s' the first that a name begins with is taken, even if a later one"
                                        + " would match the whole name: separate them by commas, or put parentheses around them")
                                .formatted(part.text()));
            }
            if (TWO_DOTS.matcher(part.text()).find()) {
                doubts.add(
                        ("the first of two dots in '%s' is any character, and probably meant to be a dot: write \\. for it,"
                                        + " which is \\\\. in a properties file")
                                .formatted(part.text()));
            }
            if (part.text().contains("\\\\")) {
                doubts.add(("'%s' has a backslash that stands for itself: one is enough here, two are for"
                                + " properties files")
                        .formatted(part.text()));
            }
        }
        return doubts;
    }

    /**
     * Whether changes of this table are delivered.
     *
     * @throws IllegalStateException if an expression takes an unreasonable time
     */
    public boolean passes(String schema, String table) {
        Verdict verdict = verdict(schema, table);
        return verdict.included && !verdict.excluded;
    }

    /** Whether a column of a table that passes is delivered. */
    public boolean passes(String schema, String table, String column) {
        return columns.passes(schema, table, column);
    }

    /** Whether a renaming is delivered: one of the names is included, and one, which may be the other, not excluded. */
    public boolean passesRenaming(String oldSchema, String oldTable, String newSchema, String newTable) {
        Verdict before = verdict(oldSchema, oldTable);
        Verdict after = verdict(newSchema, newTable);
        return (before.included || after.included) && !(before.excluded && after.excluded);
    }

    /** What is said of this table, and why. */
    public TableVerdict explain(String schema, String table) {
        Verdict verdict = verdict(schema, table);
        String name = name(schema, table);
        if (!verdict.included) {
            return new TableVerdict.NotIncluded();
        }
        return verdict.excluded
                ? new TableVerdict.Excluded(because(excludes, name))
                : new TableVerdict.Included(includes.isEmpty() ? "" : because(includes, name));
    }

    private static String because(NamePatterns patterns, String name) {
        String part = patterns.partFor(name);
        // The expressions together may match what none does by itself, if one refers to another's group.
        return part == null
                ? String.join(",", patterns.parts().stream().map(Part::text).toList())
                : part;
    }

    /** Tables that an expression of the include list names literally, such as {@code shop\.orders}, in lower case. */
    public List<String> namedTables() {
        return includes.parts().stream()
                .map(Part::text)
                .filter(text -> text.matches("[^\\s\\\\.*+?|(){}\\[\\]^$]+\\\\?\\.[^\\s\\\\.*+?|(){}\\[\\]^$]+"))
                .map(text -> text.replace("\\", "").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The expressions of the include list that match none of some names, which are in lower case. */
    public List<String> includesThatMatchNone(Collection<String> names) {
        return includes.parts().stream()
                .filter(part -> names.stream().noneMatch(part::matches))
                .map(Part::text)
                .toList();
    }

    private Verdict verdict(String schema, String table) {
        String name = name(schema, table);
        synchronized (verdicts) {
            Verdict known = verdicts.get(name);
            if (known == null) {
                known = new Verdict(
                        includes.isEmpty() || includes.matches(name), !excludes.isEmpty() && excludes.matches(name));
                verdicts.put(name, known);
            }
            return known;
        }
    }

    /** How many verdicts are remembered. */
    int remembered() {
        synchronized (verdicts) {
            return verdicts.size();
        }
    }

    private static String name(String schema, String table) {
        return (schema + "." + table).toLowerCase(Locale.ROOT);
    }
}
