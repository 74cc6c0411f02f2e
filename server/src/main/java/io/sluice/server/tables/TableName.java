package io.sluice.server.tables;

/** A table within a source. */
record TableName(String schema, String table) {}
