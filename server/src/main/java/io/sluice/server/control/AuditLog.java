package io.sluice.server.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.time.Time;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records who did what to the server, one JSON object per line, in the logger {@value #LOGGER}. Thread-safe.
 *
 * <p>All members are always there, in the same order, and are texts but for {@code done}. Passwords and rows do not belong here.
 */
public final class AuditLog {
    /** The name of the logger, which {@code logback.xml} sends to a file of its own. */
    public static final String LOGGER = "audit";

    /** What comes from outside is cut after so many characters. */
    private static final int LONGEST = 500;

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Time time;

    /**
     * Makes one.
     *
     * @param time gives the time of each record
     */
    public AuditLog(Time time) {
        this.time = time;
    }

    /**
     * Records an action.
     *
     * @param who the user, as the client has named itself; blank if unknown
     * @param remote the client's address
     * @param action such as {@code login} or {@code stop}
     * @param destination the instance concerned; blank if it is none, or all
     * @param before the state before; blank if it has none
     * @param after the state that it has led to, or why it has failed; blank if there is nothing to say
     * @param done whether it was carried out
     */
    public void record(
            String who, String remote, String action, String destination, String before, String after, boolean done) {
        record(who, "", remote, action, destination, before, after, done);
    }

    /**
     * Records an action that a client takes on behalf of a user.
     *
     * @param onBehalfOf the user, as the client names it; blank if it names none
     */
    public void record(
            String who,
            String onBehalfOf,
            String remote,
            String action,
            String destination,
            String before,
            String after,
            boolean done) {
        ObjectNode line = JSON.createObjectNode();
        line.put("time", Instant.ofEpochMilli(time.millis()).toString());
        line.put("who", cut(who));
        line.put("onBehalfOf", cut(onBehalfOf));
        line.put("remote", cut(remote));
        line.put("action", cut(action));
        line.put("destination", cut(destination));
        line.put("before", cut(before));
        line.put("after", cut(after));
        line.put("done", done);
        LOG.info("{}", text(line));
    }

    private static String text(ObjectNode line) {
        try {
            return JSON.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("an object of texts can be written", e);
        }
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
