/**
 * Where transactions begin and end in a binlog, which of them are executed, and the cursors that follow from that. It does not know how events are
 * read, nor what entries they become.
 */
@NullMarked
package io.sluice.mysql.transaction;

import org.jspecify.annotations.NullMarked;
