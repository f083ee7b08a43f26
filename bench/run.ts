import { measureDeliveries } from './deliveries.ts'
import { measureEvents } from './events.ts'
import { measureFelt } from './felt.ts'
import { startGround } from './ground.ts'
import { measureImports } from './imports.ts'
import { measurePushedSales } from './push-sales.ts'
import { measureRedirect } from './redirect.ts'
import type { Line, Scale } from './rounds.ts'
import { measureStatistics } from './statistics.ts'
import { table } from './table.ts'

// npm run bench: every figure beside its floor, which does the same work with the bare engine, in the same run.
// `npm run bench -- redirect sales` runs only those named; `--quick` takes seconds and says little, `--json`
// adds the lines for machines.

const figures = {
  redirect: measureRedirect,
  sales: measurePushedSales,
  imports: measureImports,
  events: measureEvents,
  deliveries: measureDeliveries,
  statistics: measureStatistics,
  felt: measureFelt,
}
type Name = keyof typeof figures

const FULL: Scale = { rounds: 5, roundMs: 2000, sales: 1_000_000, deliveries: 50_000, leads: 100_000 }
const QUICK: Scale = { rounds: 1, roundMs: 1500, sales: 100_000, deliveries: 5_000, leads: 10_000 }

const say = (line: string) => process.stdout.write(`${line}\n`)
const names = Object.keys(figures) as Name[]
const { values, positionals } = readOptions()
const scale = values.quick ? QUICK : FULL
// a browser takes its time
const wanted = names.filter((name) => (positionals.length === 0 ? name !== 'felt' : positionals.includes(name)))

const startedAt = performance.now()
const ground = await startGround()
const lines: Line[] = []
try {
  for (const name of wanted) {
    say(`measuring ${name} …`)
    lines.push(...(await figures[name](ground, scale)))
  }
} finally {
  await ground.stop()
}
say('')
for (const line of table(lines)) say(line)
if (values.json) say(JSON.stringify(lines))
say(
  `\n${scale.rounds} rounds of ${scale.roundMs / 1000} s, ${Math.round((performance.now() - startedAt) / 1000)} s in all`,
)

function readOptions() {
  const given = process.argv.slice(2)
  const options = ['--quick', '--json']
  const unknown = given.find((word) => !options.includes(word) && !names.includes(word as Name))
  if (unknown) {
    process.stderr.write(`There is no ${unknown}; there are ${names.join(', ')} --quick and --json.\n`)
    process.exit(1)
  }
  return {
    values: { quick: given.includes('--quick'), json: given.includes('--json') },
    positionals: given.filter((word) => !options.includes(word)),
  }
}
