package io.sluice.mysql.example;

import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.GtidEvent;
import io.sluice.mysql.binlog.MariaDbGtidEvent;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Prints a binlog, a line for each event: {@code PrintBinlog PATH} reads a file, {@code PrintBinlog HOST PORT USER FILE} a file of a
 * server, with the password in the environment variable {@code MYSQL_PWD}.
 */
public final class PrintBinlog {
    private static final long REPLICA_SERVER_ID = 471_100;

    private PrintBinlog() {}

    public static void main(String[] args) throws IOException {
        try (EventSource events = args.length == 1
                ? BinlogFile.open(Path.of(args[0]))
                : dump(
                        ConnectOptions.of(
                                new ServerAddress(args[0], Integer.parseInt(args[1])),
                                args[2],
                                Objects.requireNonNullElse(System.getenv("MYSQL_PWD"), "")),
                        args[3])) {
            print(events, System.out);
        }
    }

    /** The events of a server's binlog file, up to where the binlog ends now. */
    public static EventSource dump(ConnectOptions login, String file) throws IOException {
        DumpRequest request = DumpRequest.from(file, DumpRequest.FIRST_POSITION, REPLICA_SERVER_ID);
        return MySqlConnection.open(login).dump(request.upToTheEnd());
    }

    /** Prints all events. */
    public static void print(EventSource events, PrintStream out) throws IOException {
        ByteWriter bytes = new ByteWriter(4096);
        FormatDescription format = FormatDescription.UNKNOWN;
        while (events.next(bytes) >= 0) {
            EventHeader header = EventHeader.read(bytes.array(), 0, bytes.size());
            if (header.code() == EventCode.FORMAT_DESCRIPTION) {
                format = FormatDescription.decode(new EventBody(bytes.array(), EventHeader.LENGTH, bytes.size()));
                out.println(format);
            } else if (!header.isArtificial()) {
                int checksum = format.checksummed() ? FormatDescription.CHECKSUM_LENGTH : 0;
                EventBody body = new EventBody(bytes.array(), EventHeader.LENGTH, bytes.size() - checksum);
                long offset = header.nextOffset() - header.length();
                out.println(offset + " " + text(header, body, format));
            }
            bytes.clear();
        }
    }

    private static String text(EventHeader header, EventBody body, FormatDescription format) {
        return switch (header.code()) {
            case EventCode.QUERY -> {
                EventBody sql = QueryEvent.decode(body).sql();
                yield "query " + sql.readText(sql.remaining(), StandardCharsets.UTF_8);
            }
            case EventCode.GTID -> "gtid " + GtidEvent.decode(body).gtid();
            case EventCode.MARIADB_GTID ->
                "gtid " + MariaDbGtidEvent.decode(header, body).gtid();
            case EventCode.TABLE_MAP -> {
                TableMap table = TableMap.decode(body, format);
                yield "table " + table.schema() + "." + table.table();
            }
            case EventCode.WRITE_ROWS_V2, EventCode.WRITE_ROWS_V1 -> "insert, " + header.length() + " bytes";
            case EventCode.UPDATE_ROWS_V2, EventCode.UPDATE_ROWS_V1 -> "update, " + header.length() + " bytes";
            case EventCode.DELETE_ROWS_V2, EventCode.DELETE_ROWS_V1 -> "delete, " + header.length() + " bytes";
            case EventCode.XID -> "commit";
            default -> "event of type " + header.code() + ", " + header.length() + " bytes";
        };
    }
}
