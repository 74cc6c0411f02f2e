package io.sluice.store.cursor;

import org.apache.curator.utils.ZKPaths;

/** Where canal keeps what in ZooKeeper, and we beside it. */
public final class CanalNodes {
    private static final String ROOT = "/otter/canal";

    /** canal takes every child of its own nodes for something it knows, so ours are elsewhere. */
    private static final String OWN_ROOT = "/otter/sluice";

    private CanalNodes() {}

    /** One ephemeral child {@code ip:port} for each server. */
    public static String servers() {
        return ROOT + "/cluster";
    }

    /** One child for each destination that ever was. */
    public static String destinations() {
        return ROOT + "/destinations";
    }

    /** A destination; its children with a number as their name are its clients. */
    public static String destination(String name) {
        return ZKPaths.makePath(destinations(), name);
    }

    /** One ephemeral child {@code ip:port} for each server that can run the destination. */
    public static String candidates(String destination) {
        return destination(destination) + "/cluster";
    }

    /** Ephemeral: the server that runs the destination, {@code {"active":true,"address":"ip:port"}}. */
    public static String running(String destination) {
        return destination(destination) + "/running";
    }

    /** A client of a destination; it has subscribed if the node is there. */
    public static String client(String destination, int clientId) {
        return destination(destination) + "/" + clientId;
    }

    /** The pattern of tables that a client asked for; only there if it is not blank. */
    public static String filter(String destination, int clientId) {
        return client(destination, clientId) + "/filter";
    }

    /** A client's cursor, as JSON with canal's type name. */
    public static String cursor(String destination, int clientId) {
        return client(destination, clientId) + "/cursor";
    }

    /** Ours: written by every server that begins to run the destination; the node's version counts them. */
    public static String epoch(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/epoch";
    }

    /** Ours: describes the server that has begun to run the destination last. */
    public static String owner(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/owner";
    }

    /** Ours: the epoch of the last owner that has reported that nothing of it, and of all before it, can arrive any more. */
    public static String released(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/released";
    }

    /** Ours: the parent of what is kept of each destination. */
    public static String ownDestinations() {
        return OWN_ROOT + "/destinations";
    }

    /** Ours: the id of the servers that share the destinations, as a deployment; empty if they had none when they were upgraded. */
    public static String deployment() {
        return OWN_ROOT + "/deployment";
    }

    /** Ours: one child for each session that owns destinations, written when it renews its leases. */
    public static String heartbeats() {
        return OWN_ROOT + "/heartbeats";
    }

    /** Ours: the filters of the clients in the order of their subscriptions, which canal's nodes do not tell. */
    public static String filterOrder(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/filters";
    }

    /** Ours: what was damaged when an operator replaced the clients. */
    public static String damaged(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/damaged";
    }

    /** Ours: the clients' cursors before an operator changed them. */
    public static String previous(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/previous";
    }

    /** Ours: what an operator has set for the delivery: a pause, a point where to pause, and limits. */
    public static String pace(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/pace";
    }
}
