package io.sluice.server.config;

import io.sluice.format.value.PartialJson;
import java.time.ZoneId;

/**
 * How an instance turns the binlog into entries.
 *
 * @param threads how many workers decode
 * @param bufferSize places in the ring in front of them, a power of two
 * @param transactionSize entries gathered before a transaction is handed on in pieces, a power of two
 * @param exactDecimals whether a decimal keeps the digits that MySQL shows, instead of the ones that canal prints
 * @param exactBinary whether a {@code BINARY(n)} keeps the zero bytes at its end, which the binlog does not have
 * @param completesImages whether columns that an image after an update lacks are taken from the image before
 * @param timeZone in which the texts of TIMESTAMP are written
 * @param mariaDbBegins whether transactions of MariaDB get a begin, which canal does not give them
 * @param partialJson what becomes of JSON values that the source logs as differences
 * @param steadySqlTypes whether a column has one {@code java.sql.Types} number, whatever its values
 * @param xa where rows of XA transactions are delivered
 */
public record ParserConfig(
        int threads,
        int bufferSize,
        int transactionSize,
        boolean exactDecimals,
        boolean exactBinary,
        boolean completesImages,
        ZoneId timeZone,
        boolean mariaDbBegins,
        boolean steadySqlTypes,
        PartialJson partialJson,
        XaConfig xa) {}
