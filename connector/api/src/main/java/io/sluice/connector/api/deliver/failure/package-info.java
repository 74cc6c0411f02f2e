/**
 * What became of batches and messages that were not delivered: failures, rejections and what is decided of them, and how long failures of logins are borne. It
 * does not know the sender.
 */
@NullMarked
package io.sluice.connector.api.deliver.failure;

import org.jspecify.annotations.NullMarked;
