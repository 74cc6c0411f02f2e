/** The distances that the marks of a scale may have, so that they are round numbers of their unit. */

const POWERS = Array.from({ length: 13 }, (_, power) => 10 ** power)

export const COUNT_STEPS = POWERS.flatMap((power) => [1, 2, 5].map((step) => step * power))

export const BYTE_STEPS = [1, 1024, 1024 ** 2, 1024 ** 3, 1024 ** 4].flatMap((unit) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((step) => step * unit),
)

export const SECOND_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 240, 480].map((hours) => hours * 3600),
]
