package io.sluice.admin.canal;

import com.google.protobuf.ByteString;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.LogAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;

/** Something that a management port is asked. */
public final class ManagementRequest {
    /** A name of an instance has 100 characters at most, and a server 5000 instances. */
    private static final int MAX_LIST = 1024 * 1024;

    /** The end of a log, of 4 MiB at most, whose bytes may have become longer by being put right. */
    private static final int MAX_LOG = 16 * 1024 * 1024;

    private final PacketType type;
    private final ByteString body;

    private ManagementRequest(PacketType type, ByteString body) {
        this.type = type;
        this.body = body;
    }

    /** {@code check}, {@code start}, {@code stop}, {@code restart} or {@code list}. */
    public static ManagementRequest server(String action) {
        return new ManagementRequest(
                PacketType.SERVER,
                ServerAdmin.newBuilder().setAction(action).build().toByteString());
    }

    /** {@code check}, {@code start}, {@code stop}, {@code restart} or {@code release}. */
    public static ManagementRequest instance(String name, String action) {
        return new ManagementRequest(
                PacketType.INSTANCE,
                InstanceAdmin.newBuilder()
                        .setDestination(name)
                        .setAction(action)
                        .build()
                        .toByteString());
    }

    /** The names of log files; of an instance, or of the server if its name is empty. */
    public static ManagementRequest logFiles(String instance) {
        return log(instance, "list", "", 0);
    }

    /**
     * The end of a log.
     *
     * @param instance its name; empty: the server
     * @param file empty: the usual one
     */
    public static ManagementRequest logTail(String instance, String file, int lines) {
        return log(instance, "file", file, lines);
    }

    /** What is not used is sent as an empty text and 0, as canal's client does. */
    private static ManagementRequest log(String instance, String action, String file, int lines) {
        return new ManagementRequest(
                PacketType.LOG,
                LogAdmin.newBuilder()
                        .setType(instance.isEmpty() ? "server" : "instance")
                        .setAction(action)
                        .setDestination(instance)
                        .setFile(file)
                        .setCount(lines)
                        .build()
                        .toByteString());
    }

    /** How many bytes an answer may have. */
    int maxAnswerBytes() {
        return isLog() ? MAX_LOG : MAX_LIST;
    }

    boolean isLog() {
        return type == PacketType.LOG;
    }

    byte[] packet() {
        return Packet.newBuilder()
                .setVersion(1)
                .setType(type)
                .setBody(body)
                .build()
                .toByteArray();
    }
}
