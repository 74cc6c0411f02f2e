package io.sluice.stream.source.search;

import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks before a dump by file and offset that the file reaches there, unless it is the newest one. A server answers as if it had purged the binlog, though all
 * that it has after the position is there.
 */
final class LostEnd {
    private static final Logger LOG = LoggerFactory.getLogger(LostEnd.class);

    private LostEnd() {}

    /**
     * Checks a start position. That of an account that may not list the files of the binlog is not checked.
     *
     * @throws LostEndException if the file ends before it, and another one follows
     * @throws io.sluice.mysql.failure.SourceException PURGED if the file is another one than that of the position
     */
    static void require(DumpStart start, ServerFacts facts, BinlogScan scan) throws IOException {
        BinlogPosition position = start.positionOrUnknown();
        if (start.byGtids() || !position.isKnown()) {
            return;
        }
        try {
            List<ServerFacts.File> files = facts.files();
            for (int i = 0; i < files.size() - 1; i++) {
                ServerFacts.File file = files.get(i);
                if (file.name().equals(position.file()) && position.offset() > file.bytes()) {
                    throw failure(start, file, files.get(i + 1).name(), facts, scan);
                }
            }
        } catch (ServerErrorException e) {
            if (!GtidHistory.isRejection(e)) {
                throw e;
            }
            LOG.debug("it cannot be looked up whether the file reaches the position: start={}", start, e);
        }
    }

    private static LostEndException failure(
            DumpStart start, ServerFacts.File file, String nextFile, ServerFacts facts, BinlogScan scan)
            throws IOException {
        BinlogPosition position = start.positionOrUnknown();
        BinlogPosition next = new BinlogPosition(nextFile, DumpRequest.FIRST_POSITION);
        long begunSeconds = start.fileBegunSeconds() == 0 ? 0 : scan.begunSeconds(position.file());
        if (begunSeconds == 0) {
            return LostEndException.uncertain(facts.address(), position, file.bytes(), next, facts.identity());
        }
        HostCheck.requireSameFile(position, start.fileBegunSeconds(), begunSeconds);
        return LostEndException.certain(facts.address(), position, file.bytes(), next, facts.identity());
    }
}
