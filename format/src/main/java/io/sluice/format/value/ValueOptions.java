package io.sluice.format.value;

import java.time.ZoneId;

/**
 * How column values are written.
 *
 * <p>Made from {@link #in} by the methods {@code with…}, since flags beside each other are easily swapped.
 *
 * @param zone in which TIMESTAMP is written
 * @param exactDecimals whether a DECIMAL keeps the digits that MySQL shows, instead of the ones that canal prints
 * @param exactBinary whether values of {@code BINARY(n)} have all of their n bytes; otherwise they end before their last zero bytes
 * @param exactJson whether binary values in JSON documents are written as the server shows them, with their type and in Base64; otherwise as
 *     UTF-8, in which other bytes are lost
 * @param steadySqlTypes whether a column has one {@code java.sql.Types} number, whatever its values
 * @param fallbackCharset MySQL's name of the character set of texts for which neither table map nor table schema has one
 */
public record ValueOptions(
        ZoneId zone,
        boolean exactDecimals,
        boolean exactBinary,
        boolean exactJson,
        boolean steadySqlTypes,
        String fallbackCharset) {
    /** As canal does it by default, in this zone. */
    public static ValueOptions in(ZoneId zone) {
        return new ValueOptions(zone, false, false, false, false, "utf8mb4");
    }

    /** Returns a copy whose DECIMALs keep the digits that MySQL shows, if so wanted, or have the ones that canal prints. */
    public ValueOptions withExactDecimals(boolean wanted) {
        return new ValueOptions(zone, wanted, exactBinary, exactJson, steadySqlTypes, fallbackCharset);
    }

    /** Returns a copy whose values of {@code BINARY(n)} keep the zero bytes at their end, if so wanted. */
    public ValueOptions withExactBinary(boolean wanted) {
        return new ValueOptions(zone, exactDecimals, wanted, exactJson, steadySqlTypes, fallbackCharset);
    }

    /** Returns a copy that writes binary values in JSON with their type and in Base64, if so wanted, or as UTF-8. */
    public ValueOptions withExactJson(boolean wanted) {
        return new ValueOptions(zone, exactDecimals, exactBinary, wanted, steadySqlTypes, fallbackCharset);
    }

    /** Returns a copy by which a column has one {@code java.sql.Types} number, if so wanted, or may have several by its values. */
    public ValueOptions withSteadySqlTypes(boolean wanted) {
        return new ValueOptions(zone, exactDecimals, exactBinary, exactJson, wanted, fallbackCharset);
    }

    /** Returns a copy with the given fallback character set, by its name in MySQL. */
    public ValueOptions withFallbackCharset(String name) {
        return new ValueOptions(zone, exactDecimals, exactBinary, exactJson, steadySqlTypes, name);
    }
}
