package io.sluice.store.cursor.zookeeper;

import org.apache.curator.utils.ZKPaths;

/** The nodes in ZooKeeper that canal uses, and those of Sluice beside them. */
public final class CanalNodes {
    private static final String ROOT = "/otter/canal";

    /** canal takes every child of its own nodes for something it knows, so those of Sluice are elsewhere. */
    private static final String OWN_ROOT = "/otter/sluice";

    private CanalNodes() {}

    /** The parent of one ephemeral child {@code ip:port} for each server. */
    public static String servers() {
        return ROOT + "/cluster";
    }

    /** The parent of one child for each destination that ever existed. */
    public static String destinations() {
        return ROOT + "/destinations";
    }

    /** A destination; its children with a number as their name are its clients. */
    public static String destination(String name) {
        return ZKPaths.makePath(destinations(), name);
    }

    /** The parent of one ephemeral child {@code ip:port} for each server that can run the destination. */
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

    /** Of Sluice: written by every server that begins to run the destination; the node's version counts them. */
    public static String epoch(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/epoch";
    }

    /** Of Sluice: describes the server that has begun to run the destination last. */
    public static String owner(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/owner";
    }

    /** Of Sluice: the epoch of the last owner that has reported that nothing of it, and of all before it, can arrive any more. */
    public static String released(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/released";
    }

    /** Of Sluice: the id of the servers that share the destinations, as a deployment; empty if they had none when they were upgraded. */
    public static String deployment() {
        return OWN_ROOT + "/deployment";
    }

    /** Of Sluice: one child for each session that owns destinations, written when it renews its leases. */
    public static String heartbeats() {
        return OWN_ROOT + "/heartbeats";
    }

    /** Of Sluice: the filters of the clients in the order of their subscriptions, which canal's nodes do not state. */
    public static String filterOrder(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/filters";
    }

    /** Of Sluice: what was damaged when an operator replaced the clients. */
    public static String damaged(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/damaged";
    }

    /** Of Sluice: the clients' cursors before an operator changed them. */
    public static String previous(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/previous";
    }

    /** Of Sluice: what an operator has set for the delivery: a pause, a position at which to pause, and limits. */
    public static String pace(String destination) {
        return OWN_ROOT + "/destinations/" + destination + "/pace";
    }
}
