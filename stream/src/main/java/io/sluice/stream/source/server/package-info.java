/** The server that is read: its hosts, its facts, what it is asked, and its binlog as a dump or a scan. */
@NullMarked
package io.sluice.stream.source.server;

import org.jspecify.annotations.NullMarked;
