package io.sluice.connector.api.deliver;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.deliver.failure.DeadLetters;
import io.sluice.connector.api.deliver.failure.MessageRejectedException;
import io.sluice.connector.api.deliver.failure.ProducerBrokenException;
import io.sluice.connector.api.deliver.failure.RejectedMessage;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.time.Backoff;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * A sender with the real store, a simulated broker and simulated workers, in one thread and in simulated time. All that is left to
 * chance is drawn from one seed: sizes, delays, orders, faults, and when the sender is stopped, crashes and begins again. At some
 * time the faults cease; then everything must arrive.
 */
final class SenderSimulation {
    private static final String TOPIC = "shop";
    private static final String DEAD = "shop_dead";
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_TIME_AFTER_FAULTS = 3_600 * SECOND;
    private static final int MAX_TURNS = 2_000_000;

    /** A mistake that a simulation must find. */
    enum Mistake {
        NONE,
        /** What was confirmed is not sent again after what was not, though it follows it in its partition. */
        REPEATS_ONLY_WHAT_FAILED,
        /** Records are taken for stored before they are. */
        CONFIRMS_TOO_EARLY,
        /** The producer lets old messages arrive after a restart. */
        DELIVERS_STALE,
        /** What was handed over is still sent when the ownership is lost. */
        SENDS_WITHOUT_OWNERSHIP
    }

    private final SplittableRandom random;
    private final SimulatedTime time = new SimulatedTime();
    private final DeliveryChecker checker = new DeliveryChecker(DEAD);
    private final SimulatedFaults faults;
    private final SimulatedBroker broker;
    private final MessageProducer producer;
    private final EntryRing ring;
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final SimulatedConverter converter;
    private final SenderConfig config;
    private final List<Runnable> conversions = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final long faultsEnd;

    /** How often the number of partitions is not known when a batch is converted. */
    private final double unknownRate;

    private int put;
    private RejectionPolicy policy;
    private boolean rejectsTopics;
    private SimulatedSender sender;
    private int lives;

    SenderSimulation(long seed, Mistake mistake) {
        this.random = new SplittableRandom(seed);
        int total = 20 + random.nextInt(150);
        int partitions = 1 + random.nextInt(4);
        this.faultsEnd = (5 + random.nextInt(60)) * SECOND;
        this.faults = new SimulatedFaults(random.split(), time, faultsEnd, total, DEAD);
        int preparedBytes = random.nextBoolean() ? 0 : 1 + random.nextInt(2_000);
        this.broker = new SimulatedBroker(
                time, random.split(), faults, checker, mistake == Mistake.DELIVERS_STALE, preparedBytes);
        this.producer = mistaken(broker, mistake);
        this.ring = new EntryRing(new RingConfig(1 << (2 + random.nextInt(6)), 1024, random.nextBoolean()));
        this.converter = new SimulatedConverter(TOPIC, partitions, 1 + random.nextInt(5), faults.unmade());
        this.config = new SenderConfig(
                "simulated",
                BatchLimit.entries(1 + random.nextInt(12)),
                Duration.ofMillis(10 + random.nextInt(300)),
                random.nextInt(4) == 0 ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(8)),
                Duration.ofSeconds(2 + random.nextInt(20)));
        this.policy = randomPolicy();
        this.unknownRate = random.nextBoolean() ? 0 : random.nextDouble() / 2;
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        makeEntries(total);
        begin();
        time.schedule(0, this::put);
        time.schedule(random.nextLong(faultsEnd), this::disturb);
        if (random.nextInt(3) == 0) {
            time.schedule(random.nextLong(faultsEnd / 4), this::loseOwnership);
        }
    }

    private static MessageProducer mistaken(SimulatedBroker broker, Mistake mistake) {
        return switch (mistake) {
            case NONE, DELIVERS_STALE -> broker;
            case REPEATS_ONLY_WHAT_FAILED, CONFIRMS_TOO_EARLY, SENDS_WITHOUT_OWNERSHIP ->
                new MistakenProducer(broker, mistake);
        };
    }

    private void makeEntries(int total) {
        boolean areLarge = random.nextBoolean();
        for (int number = 0; number < total; number++) {
            EntryKind kind = switch (random.nextInt(12)) {
                case 0 -> EntryKind.END;
                case 1 -> random.nextInt(3) == 0 ? EntryKind.DDL : EntryKind.ROWS;
                default -> EntryKind.ROWS;
            };
            int bytes = areLarge ? 1 + random.nextInt(20_000) : 10;
            TextEntry entry = new TextEntry(number, kind, Integer.toString(number), bytes);
            entries.add(entry);
            checker.put(converter.lanesOf(entry));
        }
    }

    private RejectionPolicy randomPolicy() {
        RejectionPolicy[] forMessages = {RejectionPolicy.STOP, RejectionPolicy.SKIP, new DeadLetters(DEAD, 1000)};
        RejectionPolicy[] forTopics = {
            RejectionPolicy.RETRY,
            RejectionPolicy.RETRY,
            RejectionPolicy.STOP,
            RejectionPolicy.SKIP,
            new DeadLetters(DEAD, 1000)
        };
        RejectionPolicy ofTopics = forTopics[random.nextInt(forTopics.length)];
        rejectsTopics = ofTopics != RejectionPolicy.RETRY;
        return RejectionPolicy.of(forMessages[random.nextInt(forMessages.length)], ofTopics);
    }

    private RejectionPolicy.Verdict judge(RejectedMessage refused) {
        RejectionPolicy.Verdict verdict = policy.judge(refused);
        boolean byALetter = verdict instanceof RejectionPolicy.Verdict.SendInstead;
        if (byALetter || verdict instanceof RejectionPolicy.Verdict.Skip) {
            Message message = refused.message();
            List<Integer> numbers = refused.outgoing().unmade() == null
                    ? DeliveryChecker.numbers(message)
                    : List.of(((TextEntry) refused.outgoing().first()).number());
            checker.passedOver(TopicPartition.of(message), numbers, byALetter);
        }
        return verdict;
    }

    /** Runs until all entries are acked and the sender has ended in good order. */
    void run() {
        boolean isStopping = false;
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            if (sender.hasEnded()) {
                if (isStopping) {
                    return;
                }
                begin();
            }
            if (!isStopping && ring.level().acked() == entries.size() && !hasFaults()) {
                isStopping = true;
                sender.stop();
            }
            checker.require(
                    time.elapsedNanos() < faultsEnd + MAX_TIME_AFTER_FAULTS,
                    () -> "nothing comes of it: state=%s put=%d acked=%d"
                            .formatted(sender.state(), put, ring.level().acked()));
            turn();
        }
        throw new DeliveryChecker.Violation("it steps without end: " + sender.state());
    }

    private boolean hasFaults() {
        return time.elapsedNanos() < faultsEnd;
    }

    /** The sender does a step, or a worker, or something happens at the broker or at the source, or time passes. */
    private void turn() {
        boolean isDue = sender.isDue();
        if (isDue && random.nextInt(4) > 0) {
            step();
        } else if (!conversions.isEmpty() && random.nextBoolean()) {
            conversions.remove(random.nextInt(conversions.size())).run();
        } else {
            long left = isDue ? random.nextLong(1_000_000) : Math.max(0, sender.nanosLeft());
            if (!time.runNext(left) && conversions.isEmpty()) {
                time.pass(left);
            }
        }
    }

    private void step() {
        try {
            sender.step();
        } catch (MessageRejectedException | ProducerBrokenException e) {
            sender.fail();
            policy = RejectionPolicy.of(RejectionPolicy.SKIP, RejectionPolicy.RETRY); // what an operator would do
            rejectsTopics = false;
        }
        requireInvariants();
    }

    private void requireInvariants() {
        long acked = ring.level().acked();
        checker.acked(acked);
        checker.require(
                sender.batchesInFlight() <= config.maxInFlight().orElse(BatchWindow.FAR),
                () -> "too many batches are in flight");
        var cursor = cursors.load(Subscription.QUEUE_CLIENT);
        checker.require(
                cursor == null || cursor.position().offset() < acked,
                () -> "the cursor %s is ahead of %d acked entries".formatted(cursor, acked));
    }

    /** A sender begins with what is not acked, as after a start. */
    private void begin() {
        if (lives++ > 0) {
            broker.begin();
            broker.regainOwnership();
            checker.beginAgain();
        }
        sender = new SimulatedSender(
                config,
                ring,
                cursors,
                new QuestioningConverter(converter, random, time, unknownRate, faultsEnd, rejectsTopics),
                conversions::add,
                producer,
                new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), random.split()),
                time,
                this::judge);
    }

    /** Puts some entries, and more later. */
    private void put() {
        int end = Math.min(entries.size(), put + 1 + random.nextInt(20));
        put = ring.offer(entries.subList(0, end), put, () -> {});
        if (put < entries.size()) {
            time.schedule(random.nextLong(faultsEnd / 20), this::put);
        }
    }

    /** Stops the sender, in good order or not. */
    private void disturb() {
        if (!hasFaults() || sender.hasEnded()) {
            return;
        }
        if (random.nextBoolean()) {
            sender.stop();
        } else if (random.nextBoolean()) {
            sender.interrupt(); // as when its thread is interrupted
        }
        time.schedule(random.nextLong(faultsEnd), this::disturb);
    }

    /** Takes the ownership from the sender, perhaps while it stops; then it is stopped, and another one begins. */
    private void loseOwnership() {
        if (!hasFaults()) {
            return;
        }
        SimulatedSender former = sender;
        if (random.nextBoolean()) {
            former.stop();
        }
        time.schedule(random.nextLong(SECOND), () -> {
            if (sender == former) {
                broker.loseOwnership();
            }
        });
        time.schedule(random.nextLong(SECOND, 5 * SECOND), former::stop);
        time.schedule(random.nextLong(faultsEnd / 4), this::loseOwnership);
    }
}
