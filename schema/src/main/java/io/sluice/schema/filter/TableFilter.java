package io.sluice.schema.filter;

import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.pattern.MarkedSyntaxException;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.protocol.pattern.NamePatterns;
import io.sluice.protocol.pattern.NamePatterns.Part;
import io.sluice.protocol.pattern.PatternJudge;
import io.sluice.protocol.pattern.UnsafePatternException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which tables pass: those that an include list matches, unless an exclude list matches them too; and which of
 * their columns do.
 *
 * <p>A list is regular expressions of {@code schema.table} in lower case, separated by commas outside of brackets, in canal's
 * dialect. Verdicts are cached for the tables that were used most recently. Thread-safe.
 *
 * <p>The include list may be replaced by that of a client while the stream runs. If a name turns out to be too expensive for
 * such a list, the configured one is in force again.
 */
public final class TableFilter {
    private static final Logger LOG = LoggerFactory.getLogger(TableFilter.class);

    private static final int MAX_REMEMBERED = 131_072;

    /** Two names of 64 characters, of which each may become two in lower case, and a dot. */
    private static final int MAX_NAME_LENGTH = 257;

    /** How many known names a client's list is tried with. */
    private static final int MAX_TRIALS = 1_000;

    /** The result of {@code shop\..*} when a properties file has removed its backslash. */
    private static final Pattern TWO_DOTS = Pattern.compile("\\w\\.\\.[*+]");

    private final String excluded;
    private final NamePatterns excludes;
    private final ColumnFilter columns;
    private final Map<String, Verdict> verdicts = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Verdict> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    private final IncludeList configured;

    /** What a client asked for; null while the configured list is in force. Changed only while the verdicts are locked. */
    private volatile @Nullable IncludeList requested;

    private volatile int version;
    private volatile FallbackListener fallback = (list, reason) ->
            LOG.warn("a client's filter is dropped, the configured one is in force again: reason={}", reason);

    /** A doubt that is reported, with its memory. */
    private static final int LOOKS_TO_REPORT = 1_000;

    /** More of one list are only counted. */
    private static final int MAX_DOUBTS = 20;

    /** What is doubtful of a list. */
    private record Doubts(List<String> sentences) {}

    private record Verdict(boolean included, boolean excluded) {}

    /** A listener that is called when a client's list is dropped. */
    @FunctionalInterface
    public interface FallbackListener {
        /**
         * Called once for a list, by the thread that asked for a verdict, without a lock.
         *
         * @param list as the client sent it
         * @param reason names the table and the expression
         */
        void onDropped(String list, String reason);
    }

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
     * @throws MarkedSyntaxException if an expression cannot be parsed; the message states which, and where
     */
    public TableFilter(String includes, String excludes, ColumnFilter columns) {
        this.configured = IncludeList.parse(includes);
        this.excluded = excludes;
        this.excludes = NamePatterns.parse(excludes);
        this.columns = columns;
    }

    /** The expressions of the tables that pass now, as they were written. */
    public String includedTables() {
        return includes().text();
    }

    /** The expressions of the tables that do not pass, as they were written. */
    public String excludedTables() {
        return excluded;
    }

    /** Sets the listener that is called when a client's list is dropped. */
    public void onFallback(FallbackListener listener) {
        fallback = listener;
    }

    /**
     * Decides whether a client's list may be used: whether matching it ends soon, for the names that are known and for all
     * others.
     *
     * @throws MarkedSyntaxException if an expression cannot be read
     * @throws UnsafePatternException if matching could take too long
     */
    public IncludeList judged(String list) {
        IncludeList current = requested;
        return current != null && current.text().equals(list)
                ? current
                : new IncludeList(list, PatternJudge.accept(list, MAX_NAME_LENGTH, knownNames()));
    }

    private List<String> knownNames() {
        synchronized (verdicts) {
            int skipped = Math.max(0, verdicts.size() - MAX_TRIALS);
            return verdicts.keySet().stream().skip(skipped).toList();
        }
    }

    /**
     * Lets other tables pass from now on; what is excluded stays excluded. For the stream's clients, which may name their
     * tables while it runs.
     *
     * @return whether that changes anything
     */
    public boolean include(IncludeList other) {
        synchronized (verdicts) {
            if (includes().text().equals(other.text())) {
                return false;
            }
            request(other);
            return true;
        }
    }

    /**
     * Replaces what is included by a list that was not judged; it is dropped when a name is too expensive for it.
     *
     * @param other what passes; empty lets all pass
     * @throws MarkedSyntaxException if an expression cannot be read; nothing has changed then
     */
    public void include(String other) {
        include(IncludeList.parse(other));
    }

    /**
     * Lets the configured tables pass again.
     *
     * @return whether that changes anything
     */
    public boolean includeConfigured() {
        synchronized (verdicts) {
            String former = includes().text();
            if (former.equals(configured.text())) {
                requested = null; // else it would be dropped as a client's
                return false;
            }
            request(null);
            return true;
        }
    }

    private void request(@Nullable IncludeList other) {
        synchronized (verdicts) {
            requested = other;
            verdicts.clear();
            version++;
        }
    }

    private IncludeList includes() {
        IncludeList current = requested;
        return current == null ? configured : current;
    }

    /** Counts how often the answers have changed, for callers that keep some. */
    public int version() {
        return version;
    }

    /**
     * Why a configured list cannot be used although it can be read: a sentence for the operator; empty if it can.
     *
     * @throws MarkedSyntaxException if an expression cannot be read
     */
    public static Optional<String> problemOf(String list) {
        return PatternJudge.tooExpensiveFor(NamePatterns.parse(list))
                .map(name ->
                        "takes too long to match against a name such as %s: the time for many repetitions, as in .*.*.* or"
                                        .formatted(name)
                                + " (a+)+, grows without bounds; write it with fewer");
    }

    /** Warnings for the operator about parts of a list that are probably meant otherwise than they are read. */
    public static List<String> doubtsOf(String list) {
        List<String> doubts = MatchBudget.once(Doubts.class, "", list, () -> new Doubts(readDoubts(list))).sentences;
        MatchBudget.spend(LOOKS_TO_REPORT * (double) doubts.size());
        return doubts;
    }

    /** The first that differ, and how many there are beyond them: a long list of names would be as many warnings. */
    private static List<String> readDoubts(String list) {
        Set<String> all = allDoubts(list);
        List<String> doubts = new ArrayList<>();
        for (String doubt : all) {
            if (doubts.size() == MAX_DOUBTS) {
                doubts.add(
                        "%d more of its expressions are doubtful for such reasons".formatted(all.size() - MAX_DOUBTS));
                break;
            }
            doubts.add(doubt);
        }
        return doubts;
    }

    private static Set<String> allDoubts(String list) {
        Set<String> doubts = new LinkedHashSet<>();
        NamePatterns patterns = NamePatterns.parse(list);
        if (!PatternJudge.isBounded(patterns, MAX_NAME_LENGTH)) {
            doubts.add(
                    "the time to match it against a long name may grow without bounds, and the instance stops if it does:"
                            + " write it with fewer repetitions in a row, such as .* and \\w+, or with more text between them");
        }
        for (Part part : patterns.parts()) {
            if (!part.text().equals(part.text().strip())) {
                doubts.add(("the blank beside a comma belongs to the expression '%s', which therefore matches no usual"
                                + " table: remove it")
                        .formatted(part.text()));
            }
            if (part.matchesNoDot()) {
                doubts.add(
                        ("'%s' matches no table: names are matched as schema.table, and it matches no dot; for tables of that"
                                        + " name in all schemas write .*\\.%s, which is .*\\\\.%s in a properties file")
                                .formatted(
                                        part.text(),
                                        part.text().strip(),
                                        part.text().strip()));
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
                doubts.add(("'%s' has a backslash that is matched literally: one is enough here, two are for"
                                + " properties files")
                        .formatted(part.text()));
            }
        }
        return doubts;
    }

    /**
     * Whether changes of this table are delivered.
     *
     * @throws ExpensivePatternException if a configured expression takes an unreasonable time
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

    /** The verdict on a table, and its reason. */
    public TableVerdict explain(String schema, String table) {
        Verdict verdict = verdict(schema, table);
        String name = name(schema, table);
        if (!verdict.included) {
            return new TableVerdict.NotIncluded();
        }
        NamePatterns including = includes().patterns();
        return verdict.excluded
                ? new TableVerdict.Excluded(because(excludes, name))
                : new TableVerdict.Included(including.isEmpty() ? "" : because(including, name));
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
        return includes().patterns().parts().stream()
                .map(Part::text)
                .filter(text -> text.matches("[^\\s\\\\.*+?|(){}\\[\\]^$]+\\\\?\\.[^\\s\\\\.*+?|(){}\\[\\]^$]+"))
                .map(text -> text.replace("\\", "").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The expressions of the include list that match none of some names, which are in lower case, as far as that is known. */
    public List<String> includesThatMatchNone(Collection<String> names) {
        return includes().patterns().parts().stream()
                .filter(part -> names.stream().noneMatch(name -> mayMatch(part, name)))
                .map(Part::text)
                .toList();
    }

    private static boolean mayMatch(Part part, String name) {
        try {
            return part.matches(name);
        } catch (ExpensivePatternException e) {
            return true;
        }
    }

    private Verdict verdict(String schema, String table) {
        String name = name(schema, table);
        String dropped = null;
        String reason = "";
        try {
            synchronized (verdicts) {
                Verdict known = verdicts.get(name);
                if (known != null) {
                    return known;
                }
                IncludeList current = requested;
                boolean included;
                try {
                    included = includes().matches(name);
                } catch (ExpensivePatternException e) {
                    if (current == null) {
                        throw e;
                    }
                    dropped = current.text();
                    reason = e.getMessage();
                    request(null);
                    included = configured.matches(name);
                }
                Verdict verdict = new Verdict(included, !excludes.isEmpty() && excludes.matches(name));
                verdicts.put(name, verdict);
                return verdict;
            }
        } finally {
            if (dropped != null) {
                fallback.onDropped(dropped, reason);
            }
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
