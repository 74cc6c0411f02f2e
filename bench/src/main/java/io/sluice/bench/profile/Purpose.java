package io.sluice.bench.profile;

import io.sluice.bench.profile.StackSamples.Stack;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What processor time is spent on. A stack belongs to the first of them that it fits. */
enum Purpose {
    COMPILING("the JVM compiling", stack -> stack.thread().contains("CompilerThre")),
    COLLECTING(
            "the JVM collecting garbage",
            stack -> stack.thread().startsWith("GC ")
                    || stack.thread().startsWith("G1 ")
                    || stack.thread().equals("VM Thread")),
    /** By the thread that starts all; one that has nothing left to do gets the other name. */
    STARTING(
            "the JVM's start",
            stack -> stack.thread().equals("main") || stack.thread().equals("DestroyJavaVM")),
    WAITING("threads that wait and wake each other", stack -> stack.has(Waits.FRAME.asMatchPredicate())),
    KAFKA_SOCKET(
            "Kafka's producer: writing to the socket",
            stack -> stack.hasClass("org/apache/kafka/") && stack.hasClass("sun/nio/ch/IOUtil.write")),
    KAFKA_CHECKSUMS(
            "Kafka's producer: checksums",
            stack -> stack.hasClass("java/util/zip/CRC32C") || stack.has("updateBytesCRC32C"::equals)),
    KAFKA("Kafka's producer: appending, requests, answers", stack -> stack.hasClass("org/apache/kafka/")),
    EVENT_CHECKSUMS(
            "checksums of events",
            stack -> stack.hasClass("java/util/zip/CRC32") || stack.has("updateBytesCRC32"::equals)),
    SOURCE_SOCKET(
            "reading from MySQL's socket",
            stack -> stack.hasClass("io/sluice/mysql/") && stack.hasClass("sun/nio/ch/NioSocketImpl")
                    || stack.hasClass("io/sluice/mysql/") && stack.hasClass("sun/nio/ch/IOUtil.read")),
    VALUES(
            "values to text",
            stack -> stack.hasClass("io/sluice/format/value/") || stack.hasClass("io/sluice/mysql/charset/")),
    SCANNING("rows: finding columns", stack -> stack.hasClass("io/sluice/format/entry/RowImages")),
    ROWS(
            "rows: what is around the values",
            stack -> stack.hasClass("io/sluice/format/entry/Rows") || stack.hasClass("io/sluice/format/entry/Flat")),
    ENTRIES("entries: headers, copies", stack -> stack.hasClass("io/sluice/format/entry/")),
    MESSAGES(
            "packets and messages: routing, copies",
            stack -> stack.hasClass("io/sluice/connector/api/convert/")
                    || stack.hasClass("io/sluice/connector/api/route/")),
    DELIVERY(
            "ring, delivery in order",
            stack -> stack.hasClass("io/sluice/store/") || stack.hasClass("io/sluice/connector/")),
    READING(
            "reading and dispatching events",
            stack -> stack.hasClass("io/sluice/stream/") || stack.hasClass("io/sluice/mysql/")),
    REST("rest", stack -> true);

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // none of them has anything that changes
    private final Predicate<Stack> fits;

    Purpose(String title, Predicate<Stack> fits) {
        this.title = title;
        this.fits = fits;
    }

    /** In words. */
    String title() {
        return title;
    }

    static Purpose of(Stack stack) {
        for (Purpose next : values()) {
            if (next.fits.test(stack)) {
                return next;
            }
        }
        throw new IllegalStateException("nothing fits " + stack);
    }

    /** Frames below which a thread sleeps, is put to sleep, or wakes another. */
    private static final class Waits {
        private static final Pattern FRAME =
                Pattern.compile("jdk/internal/misc/Unsafe\\.(un)?park|java/util/concurrent/locks/LockSupport\\..*"
                        + "|sun/nio/ch/(EPoll|EventFD|IOUtil)\\.(wait|set0?|write1)|java/lang/Object\\.wait0?");
    }
}
