import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { providerEventQueue } from '../server/integrations/payment-providers/queue.ts'
import { newId } from '../server/platform/database/ids.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { failuresAlone } from '../server/platform/jobs/each-alone.ts'
import { jobsFailed } from '../server/platform/jobs/job-measures.ts'
import { startApp, waitUntil } from './support/app.ts'
import { openReplicated, startReplicated } from './support/replicated.ts'

type Panel = { targets?: { expr: string }[] }

/** Returns every metric that a panel queries, with the labels it selects or groups by. */
async function asked() {
  const dashboard = JSON.parse(await readFile(new URL('../docs/grafana/tributary.json', import.meta.url), 'utf8'))
  return (dashboard.panels as Panel[]).flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => {
      const grouped = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, labels]) => labels!.split(', '))
      return [...expr.matchAll(/tributary_(\w+)\{([^}]*)\}/g)].map(([, name, picked]) => ({
        name: `tributary_${name}`,
        labels: [...grouped, ...[...picked!.matchAll(/(\w+)[=!]/g)].map(([, label]) => label!)],
      }))
    }),
  )
}

/** A label that Prometheus itself adds to every series. */
const ADDED = 'instance'

test('the dashboard queries only metrics that a running product exposes, by existing labels', async () => {
  const { db, replica } = await openReplicated(await startReplicated())
  const app = await startApp({ worker: true, db, replica })
  await transaction(app.services.db, (tx) => app.services.jobs.add(tx, providerEventQueue, { eventId: newId() }))
  // metrics that appear only after a failure
  jobsFailed.add('mail')
  failuresAlone.add('gather-payouts')
  await app.api('GET', '/health/ready')
  const series = await waitUntil(async () => {
    const page = (await app.api('GET', '/metrics')).body as string
    return page.includes('tributary_jobs_done_total{') ? page.split('\n') : undefined
  }, 120_000)
  const queries = await asked()
  assert.ok(queries.length > 40, `${queries.length} queries`)
  for (const { name, labels } of queries) {
    const shown = series.find((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    assert.ok(shown, `${name} is not shown`)
    for (const label of new Set(labels))
      assert.ok(label === ADDED || shown.includes(`${label}="`), `${name} has no label ${label}: ${shown}`)
  }
  const known = new Set(queries.map(({ name }) => name.replace(/_bucket$/, '')))
  const unused = series.flatMap((line) => /^# TYPE (\w+)/.exec(line)?.[1] ?? []).filter((name) => !known.has(name))
  assert.deepEqual(unused, [], 'shown, but on no panel')
})
