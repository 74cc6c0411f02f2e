package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker.Fate;
import io.sluice.connector.api.deliver.SimulatedBroker.Faults;
import io.sluice.connector.api.producer.Message;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** What goes wrong at the broker until the faults cease. */
final class BrokerFaults implements Faults {
    private static final double[] RATES = {0, 0.002, 0.01, 0.05};

    private final RandomGenerator random;
    private final BooleanSupplier cease;
    private final double lostRate;
    private final double unconfirmedRate;
    private final double silentRate;
    private final double twiceRate;
    private boolean isDown;

    BrokerFaults(RandomGenerator random, BooleanSupplier cease) {
        this.random = random;
        this.cease = cease;
        this.lostRate = rate();
        this.unconfirmedRate = rate();
        this.silentRate = rate() / 4;
        this.twiceRate = rate();
    }

    private double rate() {
        return RATES[random.nextInt(RATES.length)];
    }

    void setDown(boolean down) {
        isDown = down;
    }

    private boolean happens(double rate) {
        return !cease.getAsBoolean() && random.nextDouble() < rate;
    }

    @Override
    public Fate fateOf(Message message) {
        if (isDown && !cease.getAsBoolean()) {
            return random.nextInt(10) == 0 ? Fate.LOST_IN_SILENCE : Fate.LOST;
        }
        if (happens(lostRate)) {
            return Fate.LOST;
        }
        if (happens(silentRate)) {
            return random.nextBoolean() ? Fate.LOST_IN_SILENCE : Fate.STORED_IN_SILENCE;
        }
        return happens(unconfirmedRate) ? Fate.STORED_BUT_FAILED : Fate.STORED;
    }

    @Override
    public boolean isHeldUp() {
        return happens(silentRate / 2);
    }

    @Override
    public boolean isAnsweredTwice() {
        return happens(twiceRate);
    }
}
