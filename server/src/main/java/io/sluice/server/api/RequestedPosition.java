package io.sluice.server.api;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.pace.PauseTarget;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A position in a binlog, as the body of a call gives it: by one of the members {@code position}, {@code gtid} and {@code time}.
 *
 * @param position empty if it is not given; so are the others
 */
record RequestedPosition(Optional<String> position, Optional<String> gtid, Optional<String> time) {
    /**
     * Reads the members.
     *
     * @throws ApiException if there is more than one
     */
    static RequestedPosition of(ApiRequest request) {
        RequestedPosition requested =
                new RequestedPosition(request.text("position"), request.text("gtid"), request.text("time"));
        if (Stream.of(requested.position, requested.gtid, requested.time)
                        .filter(Optional::isPresent)
                        .count()
                > 1) {
            throw ApiException.badRequest("position, gtid and time exclude each other");
        }
        return requested;
    }

    /**
     * Where a cursor is moved to.
     *
     * @throws ApiException if neither position, gtid nor time is given, or it cannot be read
     */
    CursorTarget cursorTarget() {
        try {
            if (position.isPresent()) {
                return CursorTarget.parse(position.get());
            }
            return gtid.isPresent()
                    ? new CursorTarget.After(gtid.get())
                    : CursorTarget.parseTime(
                            time.orElseThrow(() -> ApiException.badRequest("position, gtid or time must be given")));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Where an instance is paused; empty if no position is given, which means now.
     *
     * @throws ApiException if it cannot be read
     */
    Optional<PauseTarget> pauseTarget() {
        if (position.isPresent()) {
            if (!(cursorTarget() instanceof CursorTarget.At at)) {
                throw ApiException.badRequest("position must be file:offset: " + position.get());
            }
            return Optional.of(new PauseTarget.Position(new BinlogPosition(at.file(), at.offset())));
        }
        if (gtid.isPresent()) {
            return Optional.of(new PauseTarget.Transactions(gtidSet(gtid.get())));
        }
        return time.map(text -> new PauseTarget.Time(((CursorTarget.Since) cursorTarget()).time()));
    }

    private static GtidSet gtidSet(String text) {
        try {
            GtidSet set = GtidSet.parse(text);
            if (!set.isEmpty()) {
                return set;
            }
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("gtid: " + e.getMessage());
        }
        throw ApiException.badRequest("gtid must be a GTID, or a set of them");
    }
}
