package io.sluice.mysql.binlog;

import java.nio.charset.StandardCharsets;

/**
 * A {@code FORMAT_DESCRIPTION_EVENT}: how the events after it are encoded.
 *
 * <pre>
 *   0         2                52               56             57                    57 + n       58 + n
 *   +---------+----------------+----------------+--------------+---------------------+------------+-------+
 *   | version | server version | created        | header       | post-header length  | checksum   | crc32 |
 *   | u16 = 4 | 50 bytes, NULs | u32 LE, s      | length = 19  | of each event type  | algorithm  | u32   |
 *   +---------+----------------+----------------+--------------+---------------------+------------+-------+
 * </pre>
 *
 * <p>Algorithm and checksum exist since MySQL 5.6.1 and MariaDB 5.3; this event carries the checksum's four bytes even
 * where the algorithm is "none".
 *
 * @param serverVersion such as {@code 8.0.31}
 * @param checksummed whether every event ends with the CRC32 of what is before it
 * @param tableIdLength 4 or 6: bytes of a table id in table maps and rows events
 * @param startsServer whether the server has written it when it was started, which ended all its temporary tables: it states the time then, and
 *     zero at the begin of other files, and where a dump begins in the middle of a file
 */
public record FormatDescription(String serverVersion, boolean checksummed, int tableIdLength, boolean startsServer) {
    /** The length of the checksum at the end of an event, in bytes. */
    public static final int CHECKSUM_LENGTH = 4;

    /** The format until a format description was read: a dump may begin with a rotate event. */
    public static final FormatDescription UNKNOWN = new FormatDescription("", false, 6, false);

    private static final int FIRST_WITHOUT_ROLLED_BACK = 80_000;
    private static final int FIRST_WITHOUT_GENERATED = 110_800;
    private static final int UNKNOWN_VERSION = 0;
    private static final int TYPES_BEFORE_CHECKSUMS = 27;
    private static final int ALGORITHM_OFF = 0;
    private static final int ALGORITHM_CRC32 = 1;

    /** Whether MariaDB wrote the events after it. */
    public boolean mariaDb() {
        return serverVersion.contains("MariaDB");
    }

    /** Whether the server may log a transaction with what it has rolled back: MariaDB and MySQL before 8.0. */
    public boolean mayLogRolledBack() {
        return mariaDb() || versionNumber(serverVersion) < FIRST_WITHOUT_ROLLED_BACK && !serverVersion.isEmpty();
    }

    /**
     * Whether the row images of updates and deletes lack generated columns, whatever {@code binlog_row_image} is: MariaDB 11.8 and later.
     */
    public boolean leavesGeneratedOut() {
        return mariaDb() && versionNumber(serverVersion) >= FIRST_WITHOUT_GENERATED;
    }

    /**
     * Decodes it.
     *
     * @param body the event without its header, and with its checksum
     */
    public static FormatDescription decode(EventBody body) {
        int version = body.readShort();
        if (version != 4) {
            throw new MalformedEventException(
                    "a binlog of format version %d; only 4, of MySQL 5.0 and later, can be read".formatted(version));
        }
        String serverVersion = body.readText(50, StandardCharsets.US_ASCII);
        int nul = serverVersion.indexOf('\0');
        if (nul >= 0) {
            serverVersion = serverVersion.substring(0, nul);
        }
        boolean startsServer = body.readInt() != 0;
        int headerLength = body.readByte();
        if (headerLength != EventHeader.LENGTH) {
            throw new MalformedEventException("a binlog with event headers of %d bytes".formatted(headerLength));
        }
        boolean checksummed = false;
        int types = body.remaining();
        if (hasChecksumField(serverVersion, types)) {
            types -= 1 + CHECKSUM_LENGTH;
            if (types < 0) {
                throw new MalformedEventException("a format description without its checksum algorithm");
            }
            int algorithm = body.array()[body.end() - 1 - CHECKSUM_LENGTH] & 0xFF;
            if (algorithm != ALGORITHM_OFF && algorithm != ALGORITHM_CRC32) {
                throw new MalformedEventException("a binlog with the unknown checksum algorithm " + algorithm);
            }
            checksummed = algorithm == ALGORITHM_CRC32;
        }
        int tableMapPostHeader =
                types >= EventCode.TABLE_MAP ? body.array()[body.offset() + EventCode.TABLE_MAP - 1] & 0xFF : 8;
        return new FormatDescription(serverVersion, checksummed, tableMapPostHeader == 6 ? 4 : 6, startsServer);
    }

    /** Whether a table map has a bit of signedness for YEAR columns for certain: early versions of 8.0 had none. */
    boolean yearsHaveSignedness() {
        return mariaDb() || versionNumber(serverVersion) >= 80_029;
    }

    /**
     * Whether the algorithm is stated, which the length tells whatever the version is, as of a fork with numbers of its own: with the field came
     * further types of events.
     *
     * @param remaining how many bytes the post-header lengths have together with that field
     */
    private static boolean hasChecksumField(String serverVersion, int remaining) {
        return remaining > TYPES_BEFORE_CHECKSUMS + 1 + CHECKSUM_LENGTH
                || versionNumber(serverVersion) >= (serverVersion.contains("MariaDB") ? 50_300 : 50_601);
    }

    /** Such as 80031; {@link #UNKNOWN_VERSION} if the text does not begin with three numbers. */
    private static int versionNumber(String serverVersion) {
        String[] parts = serverVersion.split("[.\\-]", 4);
        if (parts.length < 3) {
            return UNKNOWN_VERSION;
        }
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = Integer.parseInt(parts[1]);
            int patch = Integer.parseInt(parts[2]);
            return major * 10_000 + minor * 100 + patch;
        } catch (NumberFormatException e) {
            return UNKNOWN_VERSION;
        }
    }
}
