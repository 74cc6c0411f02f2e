package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.wire.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.io.IOException;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds where reading begins at one host: from a cursor, from what is configured, or from a time. For one thread. */
final class StartFinder {
    private static final Logger LOG = LoggerFactory.getLogger(StartFinder.class);

    private final String name;
    private final PositionRules rules;
    private final SourceHost host;
    private final ServerFacts facts;
    private final BinlogScan scan;

    /**
     * Makes a finder.
     *
     * @param name the instance, for messages
     * @param facts of the server that answers at {@code host}
     * @param scan reads that server's binlog
     */
    StartFinder(String name, PositionRules rules, SourceHost host, ServerFacts facts, BinlogScan scan) {
        this.name = name;
        this.rules = rules;
        this.host = host;
        this.facts = facts;
        this.scan = scan;
    }

    /** Where to go on from a cursor. */
    Place from(Cursor cursor) throws IOException {
        if (!cursor.gtidSet().isEmpty() && rules.followsGtids() && facts.hasGtids()) {
            GtidSet executed = parse(cursor.gtidSet());
            BinlogPosition point = cursor.position().isKnown() ? point(cursor) : null;
            return said("at the cursor, by its GTIDs", new Place(point, executed, true));
        }
        if (cursor.position().file().isBlank()) {
            return since(cursor.timestampMillis(), "the cursor has a time only");
        }
        if (!SourceHosts.isAt(host, cursor.sourceHost(), cursor.sourcePort())) {
            return since(
                    cursor.timestampMillis(),
                    "the cursor is of another server, " + cursor.sourceHost() + ":" + cursor.sourcePort());
        }
        return said("at the cursor", withGtids(point(cursor), true));
    }

    private static BinlogPosition point(Cursor cursor) {
        BinlogPosition position = cursor.position();
        return new BinlogPosition(position.file(), Math.max(DumpRequest.FIRST_POSITION, position.offset()));
    }

    /** Where to begin without a cursor. */
    Place fromConfiguration() throws IOException {
        StartPosition start = host.start();
        if (start instanceof StartPosition.At at) {
            if (at.gtidSet() != null) {
                return said("as configured", new Place(at.point(), parse(at.gtidSet()), facts.hasGtids()));
            }
            return said("as configured", withGtids(at.point(), false));
        }
        if (start instanceof StartPosition.Behind behind) {
            return said("as configured, by GTIDs", new Place(null, parse(behind.gtidSet()), true));
        }
        if (start instanceof StartPosition.Since since) {
            return said("at the configured time", since(since));
        }
        if (start instanceof StartPosition.Earliest) {
            return said("at the oldest transaction, as configured", earliest());
        }
        return said("at the end of the binlog, since there is neither a cursor nor a configured position", newest());
    }

    /** The end of the binlog. */
    Place newest() throws IOException {
        ServerFacts.End end = facts.end();
        boolean byGtids = rules.followsGtids() && facts.hasGtids();
        return new Place(end.point(), byGtids ? parse(end.gtidSet()) : null, byGtids);
    }

    private Place earliest() throws IOException {
        BinlogPosition first = new BinlogPosition(facts.files().get(0).name(), DumpRequest.FIRST_POSITION);
        if (!facts.mariaDb() && rules.followsGtids() && facts.hasGtids()) {
            return new Place(first, parse(facts.purgedGtids()), true);
        }
        return withGtids(first, false);
    }

    private Place since(StartPosition.Since since) throws IOException {
        long seconds = since.time().getEpochSecond();
        TimeSearch search = new TimeSearch(scan, facts.files(), seconds);
        String file = since.file();
        if (file != null) {
            TimeSearch.Found found = search.findIn(file);
            return found == null
                    ? withGtids(new BinlogPosition(file, DumpRequest.FIRST_POSITION), false)
                    : place(found);
        }
        TimeSearch.Found found = search.find();
        if (!found.reachesBack()) {
            LOG.warn(
                    "the binlog does not go back to the configured time, beginning at its oldest transaction: instance={}"
                            + " time={} start={}",
                    name,
                    since.time(),
                    found.point());
        }
        return place(found);
    }

    /**
     * Where to go on at a server whose files are not those that were read: a while before the newest time that is known.
     *
     * @param knownMillis when the newest event was written that was read, in milliseconds since the epoch
     * @throws BinlogGoneException if the server's binlog does not go back so far
     */
    Place since(long knownMillis, String why) throws IOException {
        if (knownMillis <= 0) {
            throw new BinlogGoneException(
                    "%s is to be read from a time on (%s), but no time is known".formatted(facts.address(), why));
        }
        Instant wanted = Instant.ofEpochMilli(knownMillis).minus(rules.fallback());
        TimeSearch.Found found = new TimeSearch(scan, facts.files(), wanted.getEpochSecond()).find();
        if (!found.reachesBack()) {
            throw new BinlogGoneException("%s is to be read from %s on (%s), but its binlog begins later, at %s"
                    .formatted(facts.address(), wanted, why, found.point()));
        }
        LOG.warn(
                "going on by time, some changes come again: instance={} source={} from={} start={} because={}",
                name,
                facts.address(),
                wanted,
                found.point(),
                why);
        return place(found);
    }

    private Place place(TimeSearch.Found found) throws IOException {
        boolean byGtids = found.executed() != null && rules.followsGtids() && facts.hasGtids();
        return new Place(found.point(), byGtids ? found.executed() : null, byGtids);
    }

    /** The same place, by GTIDs if the transactions before it can be told. */
    private Place withGtids(BinlogPosition point, boolean acked) throws IOException {
        if (!rules.followsGtids()) {
            return Place.at(point);
        }
        if (!facts.hasGtids()) {
            String mode = facts.gtidMode();
            if (rules.showsGtids()) {
                throw new IOException("canal.instance.gtidon=true needs a source with GTIDs, but %s has gtid_mode=%s"
                        .formatted(facts.address(), mode));
            }
            if (mode != null && !mode.equals("OFF")) {
                LOG.info(
                        "positions are kept by file and offset, since not every transaction has a GTID: instance={}"
                                + " gtid_mode={}",
                        name,
                        mode);
            }
            return Place.at(point);
        }
        GtidSet before = GtidTranslation.before(point, acked, scan);
        if (before == null) {
            if (rules.showsGtids()) {
                throw new IOException(
                        ("the GTIDs before %s cannot be told, but canal.instance.gtidon=true needs them: set"
                                        + " canal.instance.master.gtid, too")
                                .formatted(point));
            }
            LOG.info(
                    "the position is kept by file and offset, since the GTIDs before it cannot be told: instance={} at={}",
                    name,
                    point);
            return Place.at(point);
        }
        LOG.info("the position was translated into GTIDs: instance={} at={} gtids={}", name, point, before);
        return new Place(point, before, true);
    }

    /** The empty set is the same text in both flavours. */
    private GtidSet flavoured(GtidSet set) {
        return set.isEmpty() && facts.mariaDb() ? MariaDbGtidSet.EMPTY : set;
    }

    private GtidSet parse(String gtidSet) throws IOException {
        try {
            return flavoured(GtidSet.parse(gtidSet));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "the position at %s cannot be used: %s".formatted(facts.address(), e.getMessage()), e);
        }
    }

    private Place said(String how, Place place) {
        LOG.info("find start position successfully, {}: instance={} start={}", how, name, place);
        return place;
    }
}
