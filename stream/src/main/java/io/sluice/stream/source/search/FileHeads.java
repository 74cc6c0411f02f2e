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
 * The heads of the files of a binlog, which state the transactions before them. The searches ask the server for few, and for each once.
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

    /** What a head states, or why the server does not send it: then it states nothing. */
    private record Head(FileHead states, @Nullable ServerErrorException failure) {
        @Nullable GtidSet before() {
            return states.before();
        }
    }

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
            return new Head(FileTransactions.head(files.get(file).name(), scan), null);
        } catch (ServerErrorException e) {
            return new Head(new FileHead(null, List.of()), e);
        }
    }

    /** The transactions before a file; null if its head does not state them. */
    @Nullable GtidSet before(int file) throws IOException {
        return sent(file).before();
    }

    /** What the head of a file states. */
    FileHead sent(int file) throws IOException {
        Head head = head(file);
        if (head.failure() != null) {
            throw head.failure();
        }
        return head.states();
    }

    /** Whether servers number a domain of MariaDB on their own, as far as the newest head and those that were looked at tell. */
    boolean showOwnNumbers(long domain) throws IOException {
        head(files.size() - 1);
        return heads.values().stream().anyMatch(head -> head.states().showsOwnNumbers(domain));
    }

    /**
     * The index of the newest file before which no transaction comes after a set, as far as its head states them; -1 if there is none. It may be an
     * older such file where a domain is used again that was deleted.
     */
    int newestWithin(RequestedSet set) throws IOException {
        int found = newestOfGrowing(set);
        // Of a domain that was deleted and is used again, files between state less than those before and after them.
        return found < 0 && head(files.size() - 1).before() instanceof MariaDbGtidSet ? newestOfAll(set) : found;
    }

    /** {@link #newestWithin(RequestedSet)} for a set of which numbers tell what comes after it. */
    int newestWithin(GtidSet set) throws IOException {
        return newestWithin(RequestedSet.byNumber(set));
    }

    private int newestOfAll(RequestedSet set) throws IOException {
        for (int file = files.size() - 1; file >= 0; file--) {
            if (set.hasAllBefore(sent(file))) {
                return file;
            }
        }
        return -1;
    }

    /** What {@link #newestWithin(RequestedSet)} finds if no domain is used again that was deleted; otherwise it may be an older one, or none. */
    private int newestOfGrowing(RequestedSet set) throws IOException {
        int end = files.size();
        GtidSet later = head(end - 1).before();
        while (true) {
            int found = newestWithin(set, end, later);
            FileHead head = found < 0 ? null : sent(found);
            if (head == null || set.hasAllBefore(head)) {
                return found;
            }
            end = found; // it states domains that were deleted after it
            later = head.before();
        }
    }

    /** The newest such file before {@code end}, judged by the domains of a later head only. */
    private int newestWithin(RequestedSet set, int end, @Nullable GtidSet later) throws IOException {
        return NewestFile.before(end, file -> set.hasAllBefore(head(file).states(), later));
    }

    /** The index of the newest file, older than one, before which not all transactions of a set are; -1 if there is none. */
    int newestWithout(RequestedSet set, int end) throws IOException {
        int found = NewestFile.before(end, file -> !set.isBefore(head(file).states()));
        if (found >= 0) {
            before(found); // fails if that is not certain
        }
        return found;
    }

    /** {@link #newestWithout(RequestedSet, int)} for a set of which numbers tell what comes after it. */
    int newestWithout(GtidSet set, int end) throws IOException {
        return newestWithout(RequestedSet.byNumber(set), end);
    }

    /**
     * The index of the newest file, not older than one, so that no transaction between the two files was given when a set was read, as far as the heads
     * tell for certain. A head that the server does not send tells nothing.
     */
    int newestWithoutGiven(RequestedSet set, int first) throws IOException {
        FileHead oldest = head(first).states();
        return NewestFile.before(
                files.size(),
                file -> file <= first || set.hasNoneBetween(oldest, head(file).states()));
    }
}
