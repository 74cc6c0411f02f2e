package io.sluice.server.control;

/**
 * How much was delivered in each of the last seconds, on average.
 *
 * @param rowsPerSecond rows
 * @param bytesPerSecond bytes of messages; where clients pull always 0
 */
public record Throughput(double rowsPerSecond, double bytesPerSecond) {
    public static final Throughput NONE = new Throughput(0, 0);
}
