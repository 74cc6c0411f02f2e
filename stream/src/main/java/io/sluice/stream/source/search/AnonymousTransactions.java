package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.DumpRequest;
import io.sluice.mysql.wire.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds transactions without a GTID that a request by GTIDs would skip: of the files that may hold what is missing, MySQL opens the newest
 * whose head states no transaction that was not executed, and transactions without a GTID are stated nowhere. They are in files of before
 * {@code gtid_mode} was switched on while the server ran.
 */
final class AnonymousTransactions {
    private AnonymousTransactions() {}

    /**
     * Requires that a request by GTIDs reads all that follows a position.
     *
     * @param from where reading is to begin
     * @param executed the transactions before it
     * @throws SourceException MISCONFIGURED if it would skip transactions
     */
    static void requireNone(BinlogPosition from, GtidSet executed, ServerFacts facts, BinlogScan scan)
            throws IOException {
        if (facts.mariaDb()) {
            return; // all have a GTID
        }
        List<String> files = facts.files().stream().map(ServerFacts.File::name).toList();
        for (int i = files.indexOf(from.file()); i >= 0 && i < files.size() - 1; i++) {
            GtidSet head = FileTransactions.before(files.get(i + 1), scan);
            if (head != null && !executed.containsAll(head)) {
                return; // this file holds a transaction that is missing, so the server begins in it, or before it
            }
            long offset = files.get(i).equals(from.file()) ? from.offset() : DumpRequest.FIRST_POSITION;
            BinlogPosition skipped = firstAfter(new BinlogPosition(files.get(i), offset), scan);
            if (skipped != null) {
                throw new SourceException(
                        SourceFailure.MISCONFIGURED,
                        ("%s: transactions from %s on have no GTID, and with gtid_mode=ON the server sends none of them: set gtid_mode="
                                        + "ON_PERMISSIVE there until they are read, or begin after %s")
                                .formatted(facts.address(), skipped, files.get(i)));
            }
        }
    }

    /** Where the first transaction without a GTID is, as exactly as the server tells; null if there is none in that file from there on. */
    private static @Nullable BinlogPosition firstAfter(BinlogPosition from, BinlogScan scan) throws IOException {
        if (from.offset() > DumpRequest.LARGEST_POSITION) {
            return null; // no request can state it, and a file so long ends with the transaction that made it so
        }
        long[] found = {-1};
        try {
            scan.scan(from, (header, body, start, end) -> {
                if (header.code() == EventCode.ANONYMOUS_GTID) {
                    found[0] = start;
                }
                return found[0] < 0;
            });
        } catch (ServerErrorException e) {
            if (DumpError.of(e) == DumpError.ANONYMOUS) { // it sends none, to a scan neither
                return from;
            }
            throw e;
        }
        return found[0] < 0 ? null : new BinlogPosition(from.file(), found[0]);
    }
}
