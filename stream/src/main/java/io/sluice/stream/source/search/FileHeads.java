package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transactions before the files of a binlog, as their heads state them. The server is asked for few heads, and for each once.
 *
 * <p>Each head states what those before it state, except for a domain that was deleted on MariaDB, which may be used again. One that states
 * nothing is older than those that do. A head that the server does not send matters only if a search ends there. For one thread.
 */
final class FileHeads {
    private final List<ServerFacts.File> files;
    private final BinlogScan scan;
    private final Map<Integer, Head> heads = new HashMap<>();

    /** @param files those of the server, oldest first; at least one */
    FileHeads(List<ServerFacts.File> files, BinlogScan scan) {
        this.files = files;
        this.scan = scan;
    }

    /** What a head states, or why the server does not send it. */
    private record Head(@Nullable GtidSet before, @Nullable ServerErrorException failure) {}

    private Head head(int file) throws IOException {
        Head known = heads.get(file);
        if (known == null) {
            known = ask(file);
            heads.put(file, known);
        }
        return known;
    }

    private Head ask(int file) throws IOException {
        try {
            return new Head(FileTransactions.before(files.get(file).name(), scan), null);
        } catch (ServerErrorException e) {
            return new Head(null, e);
        }
    }

    /** The transactions before a file; null if its head does not state them. */
    @Nullable GtidSet before(int file) throws IOException {
        Head head = head(file);
        if (head.failure() != null) {
            throw head.failure();
        }
        return head.before();
    }

    /**
     * The index of the newest file before which all transactions are in a set, as far as its head states them; -1 if there is none. It may be an
     * older such file where a domain is used again that was deleted.
     */
    int newestWithin(GtidSet set) throws IOException {
        int found = newestOfGrowing(set);
        // Of a domain that was deleted and is used again, files between state less than those before and after them.
        return found < 0 && head(files.size() - 1).before() instanceof MariaDbGtidSet ? newestOfAll(set) : found;
    }

    private int newestOfAll(GtidSet set) throws IOException {
        for (int file = files.size() - 1; file >= 0; file--) {
            GtidSet before = before(file);
            if (before == null || set.containsAll(before)) {
                return file;
            }
        }
        return -1;
    }

    /** The same, if no domain is used again that was deleted; otherwise it may be an older one, or none. */
    private int newestOfGrowing(GtidSet set) throws IOException {
        int end = files.size();
        GtidSet later = head(end - 1).before();
        while (true) {
            int found = newestWithin(set, end, later);
            GtidSet before = found < 0 ? null : before(found);
            if (before == null || set.containsAll(before)) {
                return found;
            }
            end = found; // it states domains that were deleted after it
            later = before;
        }
    }

    /** The same before {@code end}, and for the domains of a later head only. */
    private int newestWithin(GtidSet set, int end, @Nullable GtidSet later) throws IOException {
        return NewestFile.before(end, file -> {
            GtidSet before = head(file).before();
            return before == null || set.containsAll(inDomainsOf(later, before));
        });
    }

    private static GtidSet inDomainsOf(@Nullable GtidSet later, GtidSet before) {
        return later instanceof MariaDbGtidSet domains && before instanceof MariaDbGtidSet all
                ? all.inDomainsOf(domains)
                : before;
    }

    /** The index of the newest file, older than one, before which not all transactions of a set are; -1 if there is none. */
    int newestWithout(GtidSet set, int end) throws IOException {
        int found = NewestFile.before(end, file -> {
            GtidSet before = head(file).before();
            return before == null || !before.containsAll(set);
        });
        if (found >= 0) {
            before(found); // fails if that is not certain
        }
        return found;
    }
}
