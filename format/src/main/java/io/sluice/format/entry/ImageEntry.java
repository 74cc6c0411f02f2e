package io.sluice.format.entry;

/** An entry in the form of the binlog, of which an encoder of any format can make a message. The product's are {@link BinlogEntry}. */
public non-sealed interface ImageEntry extends Entry {}
