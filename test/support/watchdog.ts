// Makes a test file that never ends, since it left something open, fail under its name instead of blocking the run.

const LIMIT = 12 * 60_000

setTimeout(() => {
  process.stderr.write(`${process.argv[1]} is still running after ${LIMIT / 60_000} minutes: something stayed open\n`)
  process.exit(1)
}, LIMIT).unref()
