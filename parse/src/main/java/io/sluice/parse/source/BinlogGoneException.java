package io.sluice.parse.source;

import java.io.IOException;

/** A server does not have the binlog any more from the place on where reading has to begin. */
final class BinlogGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final String CHOICES = "; choose: remove the cursor and set another start"
            + " (canal.instance.master.journal.name and .position, .gtid, or .timestamp), which leaves out what is in"
            + " between; or load the tables again; or set canal.auto.reset.latest.pos.mode=true, which goes on at the newest"
            + " position whenever this happens";

    BinlogGoneException(String what) {
        super(what);
    }

    BinlogGoneException(String what, Throwable cause) {
        super(what, cause);
    }

    /** The same with what an operator can do. */
    IOException withChoices() {
        return new IOException(getMessage() + CHOICES, getCause());
    }
}
