package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;

/** One binlog file of one server, with what the headers of all its entries begin with. */
public final class LogFile {
    private static final int TAG_VERSION = 0x08;
    private static final int TAG_LOGFILE_NAME = 0x12;

    private final String sourceHost;
    private final int sourcePort;
    private final String name;
    private final byte[] headerStart;

    /**
     * Names a file.
     *
     * @param sourceHost the server's host, as configured; what cursors state
     * @param sourcePort its port
     * @param name the file's name without a folder
     */
    public LogFile(String sourceHost, int sourcePort, String name) {
        this.sourceHost = sourceHost;
        this.sourcePort = sourcePort;
        this.name = name;
        ByteWriter start = new ByteWriter(name.length() + 8);
        start.writeByte(TAG_VERSION);
        start.writeByte(1);
        ProtobufFields.writeString(start, TAG_LOGFILE_NAME, name.getBytes(StandardCharsets.UTF_8));
        this.headerStart = start.toByteArray();
    }

    public String name() {
        return name;
    }

    String sourceHost() {
        return sourceHost;
    }

    int sourcePort() {
        return sourcePort;
    }

    /** The first two fields of a protobuf header: version and file name. */
    byte[] headerStart() {
        return headerStart;
    }
}
