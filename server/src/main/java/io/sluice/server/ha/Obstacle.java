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
    /** What to do about a missing node, which the servers make themselves but for the path of the connection. */
    public static final String MISSING_NODE =
            "if canal.zkServers ends with a path, make that node, once, by zkCli.sh; else see which node is missing";

    /** What is wrong. */
    public enum Kind {
        /** ZooKeeper cannot be reached, or has no majority. */
        SILENCE,
        /** ZooKeeper answers, and does not allow this server to do what it has to. */
        REJECTION,
        /** ZooKeeper lacks a node, has something that this server cannot use, or the server cannot ask. */
        OTHER
    }

    /** Classifies what a question to ZooKeeper, or the use of its answer, has thrown. */
    public static Obstacle of(Throwable cause) {
        return new Obstacle(kindOf(cause), cause);
    }

    private static Kind kindOf(Throwable cause) {
        if (cause instanceof KeeperException failure) {
            return kindOf(failure.code());
        }
        boolean isSilence = cause instanceof TimeoutException
                || cause instanceof IOException
                || cause instanceof InterruptedException;
        return isSilence ? Kind.SILENCE : Kind.OTHER;
    }

    private static Kind kindOf(KeeperException.Code code) {
        return switch (code) {
            case CONNECTIONLOSS,
                    OPERATIONTIMEOUT,
                    REQUESTTIMEOUT,
                    SESSIONEXPIRED,
                    SESSIONMOVED,
                    UNKNOWNSESSION,
                    NOTREADONLY, // of a server without a majority
                    THROTTLEDOP -> Kind.SILENCE;
            case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH -> Kind.REJECTION;
            default -> Kind.OTHER;
        };
    }

    /** Whether this adds nothing to the other one for an operator: the causes of a silence vary while it lasts. */
    public boolean isAs(Obstacle other) {
        return kind == other.kind
                && (kind == Kind.SILENCE || String.valueOf(cause).equals(String.valueOf(other.cause)));
    }

    /** What is wrong, with the cause, for an operator. */
    public String message() {
        return switch (kind) {
            case SILENCE -> "ZooKeeper does not answer: " + cause;
            case REJECTION -> "ZooKeeper rejects this server's login or request: " + cause;
            case OTHER -> "it cannot be decided whether the instance may run here: " + cause;
        };
    }

    /** What an operator can do about it. */
    public String remedy() {
        return switch (kind) {
            case SILENCE ->
                "check ZooKeeper, and whether it can be reached from here; the instance starts when it answers, unless another server runs it";
            case REJECTION ->
                "give all servers the same canal.zookeeper.auth.user, .password and canal.zookeeper.acl, and see the access control list of the"
                        + " node; the instance starts when it is allowed to, unless another server runs it";
            case OTHER ->
                (cause instanceof KeeperException.NoNodeException ? MISSING_NODE : "remove the cause that is stated")
                        + "; the instance starts by itself then, unless another server runs it";
        };
    }
}
