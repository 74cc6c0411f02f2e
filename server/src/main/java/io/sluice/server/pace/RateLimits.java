package io.sluice.server.pace;

/**
 * The largest rates at which an instance delivers.
 *
 * @param rowsPerSecond how many rows in a second; 0 for any number
 * @param bytesPerSecond how many bytes of messages in a second, where clients pull of entries; 0 for any number
 */
public record RateLimits(long rowsPerSecond, long bytesPerSecond) {
    /** No limit. */
    public static final RateLimits NONE = new RateLimits(0, 0);

    /** @throws IllegalArgumentException if one is negative */
    public RateLimits {
        if (rowsPerSecond < 0 || bytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is at least 0, which means no limit");
        }
    }
}
