package io.sluice.server.tcp;

import io.netty.buffer.ByteBuf;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.time.Time;

/** One request and its answer, counted when it is answered. */
final class Exchange implements Reply {
    private final PacketType type;
    private final ClientCounts counts;
    private final Reply reply;
    private final Time time;
    private final long since;
    private volatile String destination = ClientCounts.UNKNOWN;

    Exchange(PacketType type, ClientCounts counts, Reply reply, Time time) {
        this.type = type;
        this.counts = counts;
        this.reply = reply;
        this.time = time;
        this.since = time.nanos();
    }

    /** Sets the destination that the request is for; it exists. */
    void setDestination(String name) {
        destination = name;
    }

    @Override
    public boolean isOpen() {
        return reply.isOpen();
    }

    @Override
    public void whenGone(Runnable task) {
        reply.whenGone(task);
    }

    @Override
    public void send(ByteBuf frame, Runnable whenSent) {
        answered(false, frame.readableBytes());
        reply.send(frame, whenSent);
    }

    /** Answers a get for which there is nothing. */
    void sendNothing(ByteBuf frame) {
        answered(true, frame.readableBytes());
        reply.send(frame, () -> {});
    }

    /** Answers by an error. */
    void reject(int code, ByteBuf frame) {
        counts.of(destination).rejected(code);
        send(frame, () -> {});
    }

    @Override
    public void sendAndClose(ByteBuf frame) {
        answered(false, frame.readableBytes());
        reply.sendAndClose(frame);
    }

    /** Answers by an error, and closes the connection. */
    void rejectAndClose(int code, ByteBuf frame) {
        counts.of(destination).rejected(code);
        sendAndClose(frame);
    }

    @Override
    public void silence() {
        answered(false, 0);
        reply.silence();
    }

    private void answered(boolean isEmptyBatch, int frameBytes) {
        counts.of(destination).answered(type, isEmptyBatch, frameBytes, time.nanos() - since);
    }
}
