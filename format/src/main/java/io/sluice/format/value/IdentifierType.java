package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/**
 * MariaDB's {@code UUID}, {@code INET6} and {@code INET4}: like {@code BINARY} a length of one byte and as many bytes, zeros
 * at their end left out; written as the server shows them.
 */
final class IdentifierType extends ColumnType {
    private static final String HEX = "0123456789abcdef";
    private static final int GROUPS = 8;

    /** How the bytes are written. */
    enum Form {
        UUID(16) {
            @Override
            void write(byte[] bytes, ByteWriter out) {
                for (int i = 0; i < 16; i++) {
                    if (i == 4 || i == 6 || i == 8 || i == 10) {
                        out.writeByte('-');
                    }
                    out.writeByte(HEX.charAt(bytes[i] >> 4 & 0xF));
                    out.writeByte(HEX.charAt(bytes[i] & 0xF));
                }
            }
        },
        INET4(4) {
            @Override
            void write(byte[] bytes, ByteWriter out) {
                writeInet4(bytes, 0, out);
            }
        },
        INET6(16) {
            @Override
            void write(byte[] bytes, ByteWriter out) {
                writeInet6(bytes, out);
            }
        };

        private final int bytes;

        Form(int bytes) {
            this.bytes = bytes;
        }

        abstract void write(byte[] bytes, ByteWriter out);
    }

    private final Form form;

    IdentifierType(Form form) {
        super(OWN_LENGTH, 1);
        this.form = form;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        byte[] bytes = new byte[form.bytes]; // such columns are rare, and so are reused arrays worth it
        System.arraycopy(image, at + 1, bytes, 0, Math.min(length - 1, form.bytes));
        form.write(bytes, out);
    }

    @Override
    public int sqlType() {
        return Types.CHAR;
    }

    private static void writeInet4(byte[] bytes, int from, ByteWriter out) {
        for (int i = 0; i < 4; i++) {
            if (i > 0) {
                out.writeByte('.');
            }
            Digits.writeLong(out, bytes[from + i] & 0xFF);
        }
    }

    /** The first of the longest runs of zero groups, also of a single one, becomes two colons. */
    private static void writeInet6(byte[] bytes, ByteWriter out) {
        int gapAt = -1;
        int gapLength = 0;
        int run = 0;
        for (int i = 0; i < GROUPS; i++) {
            run = group(bytes, i) == 0 ? run + 1 : 0;
            if (run > gapLength) {
                gapLength = run;
                gapAt = i + 1 - run;
            }
        }
        boolean holdsInet4 = gapAt == 0 && (gapLength == 6 || gapLength == 5 && group(bytes, 5) == 0xFFFF);
        for (int i = 0; i < GROUPS; i++) {
            if (i == gapAt) {
                out.writeAscii(i == 0 ? "::" : ":");
                i += gapLength - 1;
            } else if (i == 6 && holdsInet4) {
                writeInet4(bytes, 12, out);
                return;
            } else {
                out.writeAscii(Integer.toHexString(group(bytes, i)));
                if (i < GROUPS - 1) {
                    out.writeByte(':');
                }
            }
        }
    }

    private static int group(byte[] bytes, int index) {
        return (int) Bytes.readBig(bytes, 2 * index, 2);
    }
}
