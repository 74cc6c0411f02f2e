package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.SimulatedBroker.Fate;
import io.sluice.connector.api.producer.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The faults of one simulation. Some are those of numbers, which are never taken; the others happen at random, or within spans of
 * time, and cease.
 */
final class SimulatedFaults implements SimulatedBroker.Faults {
    private static final double[] RATES = {0, 0, 0.005, 0.02, 0.1};

    private record Span(long from, long to) {}

    private final SplittableRandom random;
    private final SimulatedTime time;
    private final long end;
    private final String deadTopic;
    private final double lostRate;
    private final double unconfirmedRate;
    private final double silentRate;
    private final double heldUpRate;
    private final double brokenRate;
    private final double twiceRate;
    private final Set<Integer> tooLarge;
    private final Set<Integer> invalid;
    private final Set<Integer> unmade;
    private final List<Span> outages;
    private final List<Span> denials;
    private final boolean deniesLetters;

    /**
     * Draws faults.
     *
     * @param end when they cease
     * @param total how many numbers there are
     */
    SimulatedFaults(SplittableRandom random, SimulatedTime time, long end, int total, String deadTopic) {
        this.random = random;
        this.time = time;
        this.end = end;
        this.deadTopic = deadTopic;
        this.lostRate = rate();
        this.unconfirmedRate = rate();
        this.silentRate = rate() / 2;
        this.heldUpRate = rate() * 2;
        this.brokenRate = rate() / 10;
        this.twiceRate = rate() * 3;
        this.tooLarge = some(total);
        this.invalid = some(total);
        this.unmade = some(total);
        this.outages = spans();
        this.denials = spans();
        this.deniesLetters = random.nextBoolean();
    }

    private double rate() {
        return RATES[random.nextInt(RATES.length)];
    }

    private Set<Integer> some(int total) {
        Set<Integer> numbers = new HashSet<>();
        for (int i = (int) (total * rate()); i > 0; i--) {
            numbers.add(random.nextInt(total));
        }
        return numbers;
    }

    private List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            long from = random.nextLong(end);
            spans.add(new Span(from, from + random.nextLong(end / 5)));
        }
        return spans;
    }

    /** The numbers for which no message can be made. */
    Set<Integer> unmade() {
        return unmade;
    }

    private boolean isIn(List<Span> spans) {
        long now = time.elapsedNanos();
        return now < end && spans.stream().anyMatch(span -> span.from() <= now && now < span.to());
    }

    @Override
    public Fate fateOf(Message message) {
        boolean isLetter = message.topic().equals(deadTopic);
        if (time.elapsedNanos() < end) {
            if (isIn(outages)) {
                return random.nextInt(10) == 0 ? Fate.LOST_IN_SILENCE : Fate.LOST;
            }
            if (isIn(denials) && (!isLetter || deniesLetters)) {
                return Fate.TOPIC_UNAVAILABLE;
            }
            if (happens(lostRate)) {
                return Fate.LOST;
            }
            if (happens(silentRate)) {
                return Fate.LOST_IN_SILENCE;
            }
            if (happens(brokenRate)) {
                return Fate.BROKEN;
            }
        }
        if (!isLetter) {
            List<Integer> numbers = DeliveryChecker.numbers(message);
            if (numbers.stream().anyMatch(tooLarge::contains)) {
                return Fate.TOO_LARGE;
            }
            if (numbers.stream().anyMatch(invalid::contains)) {
                return Fate.INVALID;
            }
        }
        if (time.elapsedNanos() < end) {
            if (happens(unconfirmedRate)) {
                return Fate.STORED_BUT_FAILED;
            }
            if (happens(silentRate)) {
                return Fate.STORED_IN_SILENCE;
            }
        }
        return Fate.STORED;
    }

    private boolean happens(double rate) {
        return random.nextDouble() < rate;
    }

    @Override
    public boolean isHeldUp() {
        return time.elapsedNanos() < end && happens(heldUpRate);
    }

    @Override
    public boolean isAnsweredTwice() {
        return happens(twiceRate);
    }
}
