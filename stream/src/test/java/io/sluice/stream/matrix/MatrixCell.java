package io.sluice.stream.matrix;

import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;

/**
 * One way in which a server writes its binlog.
 *
 * @param rowImage FULL, MINIMAL or NOBLOB
 * @param compressed whether transactions, or rows in MariaDB, are compressed
 * @param metadata the {@code binlog_row_metadata}: FULL or MINIMAL; null where there is none
 * @param partialJson whether documents may be written as what changed in them
 */
record MatrixCell(String rowImage, boolean compressed, String metadata, boolean partialJson) {
    /** All images, plain and compressed where the server can; of those two, one with more metadata. */
    static List<MatrixCell> of(ServerRelease release) {
        boolean hasMetadata = release != ServerRelease.MYSQL_5_7_22;
        List<MatrixCell> cells = new ArrayList<>();
        for (String image : List.of("FULL", "MINIMAL", "NOBLOB")) {
            cells.add(new MatrixCell(image, false, hasMetadata ? "MINIMAL" : null, false));
            if (hasMetadata) {
                boolean compresses = release != ServerRelease.MYSQL_8_0_15;
                cells.add(new MatrixCell(image, compresses, "FULL", !release.isMariaDb()));
            }
        }
        return cells;
    }

    /** What sets a session and its server up for it. */
    List<String> settings(ServerRelease release) {
        List<String> settings = new ArrayList<>(List.of("SET SESSION binlog_row_image = " + rowImage));
        if (metadata != null) {
            settings.add("SET GLOBAL binlog_row_metadata = " + metadata);
        }
        if (metadata != null && !release.isMariaDb()) {
            settings.add("SET SESSION binlog_row_value_options = '%s'".formatted(partialJson ? "PARTIAL_JSON" : ""));
        }
        if (release.isMariaDb()) {
            settings.add("SET GLOBAL log_bin_compress = " + compressed);
            settings.add("SET GLOBAL log_bin_compress_min_len = 10");
        } else if (release.compareTo(ServerRelease.MYSQL_8_0_31) >= 0) {
            settings.add("SET SESSION binlog_transaction_compression = " + compressed);
        }
        return settings;
    }

    @Override
    public String toString() {
        return rowImage
                + (compressed ? " compressed" : " plain")
                + (partialJson ? " partial" : "")
                + (metadata == null ? "" : " metadata " + metadata);
    }
}
