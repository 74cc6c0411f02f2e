package io.sluice.bench.profile;

import io.sluice.bench.chart.BarChart.Legend;
import io.sluice.bench.chart.FlameChart;
import io.sluice.bench.chart.FlameNode;
import io.sluice.bench.chart.Paint;
import io.sluice.bench.profile.StackSamples.Stack;
import java.util.List;

/** Draws where processor time goes: the parts of a server, and below each the methods that run, from the caller to the called. */
public final class ProfilePicture {
    private static final String OURS = "io/sluice/";
    private static final String KAFKA = "org/apache/kafka/";
    private static final String KERNEL = "_[k]";

    private ProfilePicture() {}

    /**
     * Draws it.
     *
     * @param title what was running
     */
    public static String svg(String title, StackSamples samples) {
        FlameNode whole = new FlameNode("all", "all", Paint.OTHER);
        samples.counts().forEach((stack, count) -> {
            whole.add((double) count);
            FlameNode part = whole.part(partOf(stack));
            part.add((double) count);
            addFrames(part, stack.frames(), (double) count);
        });
        return FlameChart.svg(
                title,
                "The wider, the more processor time: samples of a whole run, with the start of the JVM. Point at a part for its"
                        + " name and share.",
                List.of(
                        new Legend(Paint.MAIN, false, "ours"),
                        new Legend(Paint.SECOND, false, "Kafka's producer"),
                        new Legend(Paint.OTHER, false, "Java, the JVM, other libraries"),
                        new Legend(Paint.LIMIT, false, "the kernel")),
                whole);
    }

    private static FlameNode partOf(Stack stack) {
        String thread = stack.thread();
        String name = switch (Purpose.of(stack)) {
            case COMPILING -> "the JVM's compilers";
            case COLLECTING -> "garbage collector";
            case STARTING -> "start";
            default -> {
                if (thread.startsWith("kafka-producer-network-thread")) {
                    yield "Kafka's thread";
                }
                if (thread.endsWith("-reader")) {
                    yield "reader";
                }
                if (thread.startsWith("sender-")) {
                    yield "sender";
                }
                yield thread.matches("(encoder|converter)-\\d+") ? thread.replaceFirst("-\\d+", "s") : "other threads";
            }
        };
        return new FlameNode(name, name, Paint.OTHER);
    }

    /** Adds what a thread does from the first method on that is ours or Kafka's; what is not Java is one frame. */
    private static void addFrames(FlameNode part, List<String> frames, double count) {
        FlameNode at = part;
        boolean isInside = false;
        for (String frame : frames) {
            isInside |= frame.startsWith(OURS) || frame.startsWith(KAFKA);
            if (!isInside) {
                continue;
            }
            boolean isMethod = frame.indexOf('/') > 0;
            boolean isKernel = !isMethod && frames.get(frames.size() - 1).endsWith(KERNEL);
            at = at.part(isKernel ? new FlameNode("kernel", "kernel", Paint.LIMIT) : node(frame));
            at.add(count);
            if (!isMethod) {
                return;
            }
        }
    }

    private static FlameNode node(String frame) {
        Paint paint = frame.startsWith(OURS) ? Paint.MAIN : frame.startsWith(KAFKA) ? Paint.SECOND : Paint.OTHER;
        return new FlameNode(frame.substring(frame.lastIndexOf('/') + 1), frame.replace('/', '.'), paint);
    }
}
