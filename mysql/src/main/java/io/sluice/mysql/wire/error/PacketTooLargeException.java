package io.sluice.mysql.wire.error;

/** Thrown if a packet is larger than the limit of its channel. */
public final class PacketTooLargeException extends MalformedPacketException {
    /** Makes the exception; the message states the limit. */
    public PacketTooLargeException(String message) {
        super(message);
    }
}
