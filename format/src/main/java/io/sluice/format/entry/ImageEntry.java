package io.sluice.format.entry;

/** An entry as the binlog has it, of which an encoder of any format can make a message. The product's are {@link BinlogEntry}. */
public non-sealed interface ImageEntry extends Entry {}
