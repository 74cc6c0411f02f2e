package io.sluice.bench.e2e;

/**
 * The processor time of the three processes of a run.
 *
 * @param bridge the bridge's process
 * @param source MySQL
 * @param broker Kafka
 */
record CpuSeconds(double bridge, double source, double broker) {
    static final CpuSeconds NONE = new CpuSeconds(0, 0, 0);

    CpuSeconds plus(CpuSeconds other) {
        return new CpuSeconds(bridge + other.bridge, source + other.source, broker + other.broker);
    }

    CpuSeconds minus(CpuSeconds other) {
        return plus(other.times(-1));
    }

    CpuSeconds times(double factor) {
        return new CpuSeconds(bridge * factor, source * factor, broker * factor);
    }
}
