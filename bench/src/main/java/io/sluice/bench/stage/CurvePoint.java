package io.sluice.bench.stage;

/**
 * One figure of a curve.
 *
 * @param curve as options spell it
 * @param place on the curve's axis
 * @param form what was made of the rows
 */
record CurvePoint(String curve, int place, String form, StageResult result) {}
