package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.entry.GtidStamp;
import io.sluice.parse.entry.LogFile;
import io.sluice.parse.entry.Origin;
import io.sluice.parse.schema.SchemaPoint;
import org.jspecify.annotations.Nullable;

/**
 * One event on its way through the reader.
 *
 * @param body without header and checksum
 * @param place where it stands
 * @param sequence how many events of its transaction stand before it that may become entries, from 0
 * @param gtid what is known of its transaction's GTID; null unless in GTID mode
 */
record Event(
        EventHeader header,
        EventBody body,
        Place place,
        int sequence,
        @Nullable GtidStamp gtid) {
    /**
     * Where an event stands in the binlog; events within another one stand where that one does.
     *
     * @param start where it starts, in bytes
     * @param end where the next one starts
     * @param length its length with header and checksum
     * @param inside how many events stand before it in the event that it is within; 0 if it is within none
     */
    record Place(LogFile file, long start, long end, int length, int inside) {
        /** The place of the next event within the same one. */
        Place next() {
            return new Place(file, start, end, length, inside + 1);
        }

        @Override
        public String toString() {
            return file.name() + ":" + start;
        }
    }

    /** Where it stands, for the schema history. */
    SchemaPoint schemaPoint() {
        return new SchemaPoint(
                place.file().name(),
                place.start(),
                place.length(),
                header.serverId(),
                header.timestampSeconds() * 1000,
                gtid == null ? null : gtid.current());
    }

    /** The same with another GTID. */
    Event with(@Nullable GtidStamp other) {
        return new Event(header, body, place, sequence, other);
    }

    /** What its entries state of it. */
    Origin origin() {
        return new Origin(
                place.file(),
                place.start(),
                header.serverId(),
                header.timestampSeconds() * 1000,
                place.length(),
                sequence,
                gtid);
    }
}
