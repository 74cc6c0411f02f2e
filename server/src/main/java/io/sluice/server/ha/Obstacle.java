package io.sluice.server.ha;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;

/**
 * Why it cannot be decided now whether a destination may run on this server.
 *
 * @param kind what is to be done about it
 * @param cause what was thrown
 */
public record Obstacle(Kind kind, Throwable cause) {
    /** What is wrong. */
    public enum Kind {
        /** ZooKeeper cannot be reached, or has no majority. */
        SILENCE,
        /** ZooKeeper answers, and does not allow this server to do what it has to. */
        REFUSAL,
        /** ZooKeeper has something that this server cannot use, or the server cannot ask. */
        OTHER
    }

    /** Classifies what a question to ZooKeeper, or the use of its answer, has thrown. */
    static Obstacle of(Throwable cause) {
        if (cause instanceof KeeperException.NoAuthException
                || cause instanceof KeeperException.AuthFailedException
                || cause instanceof KeeperException.InvalidACLException) {
            return new Obstacle(Kind.REFUSAL, cause);
        }
        boolean isSilence = cause instanceof KeeperException
                || cause instanceof TimeoutException
                || cause instanceof IOException
                || cause instanceof InterruptedException;
        return new Obstacle(isSilence ? Kind.SILENCE : Kind.OTHER, cause);
    }

    /** What is wrong, with the cause, for an operator. */
    public String message() {
        return switch (kind) {
            case SILENCE -> "ZooKeeper does not answer: " + cause;
            case REFUSAL -> "ZooKeeper refuses this server: " + cause;
            case OTHER -> "it cannot be decided whether the instance may run here: " + cause;
        };
    }

    /** What an operator can do about it. */
    public String remedy() {
        return switch (kind) {
            case SILENCE ->
                "look at ZooKeeper, and whether it can be reached from here; the instance starts when it answers, unless another server runs it";
            case REFUSAL ->
                "give all servers the same canal.zookeeper.auth.user, .password and canal.zookeeper.acl, and see the access control list of the"
                        + " node; the instance starts when it is allowed to, unless another server runs it";
            case OTHER ->
                "remove the cause that is stated; the instance starts by itself then, unless another server runs it";
        };
    }
}
