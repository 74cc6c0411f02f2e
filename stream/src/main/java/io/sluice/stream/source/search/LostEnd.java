package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.FileEnd;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
     * @throws SourceException PURGED if the file is another one than that of the position; OTHER_SERVER if the list of files is not of the server that sends them
     */
    static void require(DumpStart start, ServerFacts facts, BinlogScan scan) throws IOException {
        BinlogPosition position = start.positionOrUnknown();
        if (start.byGtids() || !position.isKnown()) {
            return;
        }
        try {
            Ended listed = Ended.before(position, facts.files());
            if (listed != null) {
                requireAgain(start, listed, facts, scan);
            }
        } catch (ServerErrorException e) {
            if (!GtidHistory.isRejection(e)) {
                throw e;
            }
            LOG.debug("it cannot be looked up whether the file reaches the position: start={}", start, e);
        }
    }

    /** Asks the server once more, when it has shown by a dump that it can open the file, and that this ends at the listed length. */
    private static void requireAgain(DumpStart start, Ended listed, ServerFacts facts, BinlogScan scan)
            throws IOException {
        BinlogPosition position = start.positionOrUnknown();
        FileEnd shown = shown(new BinlogPosition(position.file(), listed.bytes()), facts, scan);
        long begunSeconds = start.fileBegunSeconds() == 0 ? 0 : shown.begunSeconds();
        if (begunSeconds != 0) {
            HostCheck.requireSameFile(position, start.fileBegunSeconds(), begunSeconds);
        }
        Ended file = Ended.before(position, facts.files());
        if (file == null) {
            LOG.debug("the file reaches the position after all: start={}", start);
        } else if (!shown.isEnd()) {
            throw ofSeveralServers("continues after that", new BinlogPosition(position.file(), listed.bytes()), facts);
        } else if (begunSeconds == 0) {
            throw LostEndException.uncertain(
                    facts.address(),
                    position,
                    file.bytes(),
                    file.next(),
                    file.all(),
                    facts.identity(),
                    HostCheck.isProbablyOther(start.lastEvent(), facts));
        } else {
            throw LostEndException.certain(
                    facts.address(), position, file.bytes(), file.next(), file.all(), facts.identity());
        }
    }

    private static FileEnd shown(BinlogPosition end, ServerFacts facts, BinlogScan scan) throws IOException {
        try {
            return scan.end(end);
        } catch (ServerErrorException e) {
            if (DumpError.of(e) != DumpError.GONE) {
                throw e;
            }
            throw ofSeveralServers("ends before that, or is not there (%s)".formatted(e.serverMessage()), end, facts);
        }
    }

    /** What a proxy may lead to: a file that another server lists says nothing of the one that is read, whose binlog may have files of the same names. */
    private static SourceException ofSeveralServers(String what, BinlogPosition end, ServerFacts facts) {
        return new SourceException(
                SourceFailure.OTHER_SERVER,
                "%s lists %s as ending at %d, but the file %s when it is read: the address leads to several servers, or the list of its files has changed"
                        .formatted(facts.address(), end.file(), end.offset(), what),
                "let the address lead to one server, and name other hosts of the source in canal.instance.hosts; if it does, nothing is to be done");
    }

    /**
     * A file that ends before a position, and is followed by another one.
     *
     * @param next where that begins
     * @param all the list that shows it
     */
    private record Ended(long bytes, BinlogPosition next, List<ServerFacts.File> all) {
        /**
         * The file of a position if it ends before that; null if it does not, or if its size is not known: a server lists a file with 0 bytes that it cannot open
         * at that moment.
         */
        static @Nullable Ended before(BinlogPosition position, List<ServerFacts.File> files) {
            for (int i = 0; i < files.size() - 1; i++) {
                ServerFacts.File file = files.get(i);
                boolean isKnown = file.bytes() >= DumpRequest.FIRST_POSITION;
                if (file.name().equals(position.file()) && isKnown && position.offset() > file.bytes()) {
                    return new Ended(
                            file.bytes(),
                            new BinlogPosition(files.get(i + 1).name(), DumpRequest.FIRST_POSITION),
                            List.copyOf(files));
                }
            }
            return null;
        }
    }
}
