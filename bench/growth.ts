import type { Database } from '../server/platform/database/pool.ts'
import { addDays } from '../server/platform/time/days.ts'
import { type Cost, createCounter } from './cost.ts'
import {
  aReadingKey,
  type BenchAccount,
  type BenchEnvironment,
  makeAccount,
  makeLeads,
  RATES,
  startGround,
} from './environment.ts'
import { checkLedger } from './ledger.ts'
import type { Outcome } from './load.ts'
import { aTemplate, type OneOfMany } from './many-accounts.ts'
import { buildRequest } from './push-sales.ts'
import { buildGetRequest } from './reading.ts'
import { buildVisit, createBlueprint } from './redirect.ts'
import { formatMs, type Line, medianBy, type Scale, toMedian, toRatio } from './rounds.ts'
import { startLoad } from './start-load.ts'
import { dropKeptClicks, fillClicks } from './stored-clicks.ts'
import { fillAccount } from './ui-latency-account.ts'
import { FLAT, toGrowth } from './verdict.ts'

/**
 * The requests made at every step. `connections` is per process, since a larger installation has more callers; `times`
 * is per round, about a second's work.
 */
const requestPlans = {
  redirect: { status: 302, connections: 16, times: 12_000 },
  'pushed sale': { status: 201, connections: 16, times: 600 },
  'page of leads': { status: 200, connections: 1, times: 400 },
  'page of sales': { status: 200, connections: 1, times: 400 },
  dashboard: { status: 200, connections: 1, times: 120 },
  search: { status: 200, connections: 1, times: 400 },
}
export type Asked = keyof typeof requestPlans
const all = Object.keys(requestPlans) as Asked[]

type Requests = Record<Asked, string[]>
type Step = { size: number; ports: number[]; pids: number[]; requests: () => Requests }

/** A dimension that grows. `reasons`: why a request costs more, if it has more to do. */
type Axis = {
  what: string
  sizes: (scale: Scale) => number[]
  grow: (ground: BenchEnvironment, size: number) => Promise<Step>
  over?: () => Promise<void>
  reasons?: Partial<Record<Asked, string>>
}

const MOST_ROUNDS = 3
/** Part of a round run beforehand: links and keys get cached, and plans are made. */
const WARMING = 0.25
/** Part of `times` that a quick run makes. */
const QUICK = 0.25
const PATIENCE_MS = 120_000
const MOST_SAMPLES = 500

/**
 * The cost of a request as an installation grows, compared with its cost on a small one: processor time of Node and of
 * PostgreSQL, follow-up work included.
 */
export const measureGrowth = (given: BenchEnvironment, scale: Scale): Promise<Line[]> =>
  measureAxes(given, scale, axesOf())

/** The cost of these requests as single clicks pile up; with `--full` up to a hundred million. */
export const measureKeptClicks = (given: BenchEnvironment, scale: Scale): Promise<Line[]> =>
  measureAxes(given, scale, [clicks()])

async function measureAxes(given: BenchEnvironment, scale: Scale, axes: Axis[]): Promise<Line[]> {
  const ground = await startGround(given.watch, { counting: true })
  try {
    const lines: Line[] = []
    for (const axis of axes) lines.push(...(await measureAxis(ground, axis, scale)))
    await checkLedger(ground)
    return lines
  } finally {
    await ground.stop()
  }
}

type Measured = { cost: Cost; outcome: Outcome }

async function measureAxis(
  ground: BenchEnvironment,
  { what, sizes, grow, over, reasons = {} }: Axis,
  scale: Scale,
): Promise<Line[]> {
  const rounds = Math.min(scale.rounds, MOST_ROUNDS)
  const steps: { size: number; figures: Record<Asked, Measured[]> }[] = []
  for (const size of sizes(scale)) {
    process.stdout.write(`  ${count(size)} ${what}\n`)
    const step = await grow(ground, size)
    steps.push({ size, figures: await measureStep(ground, step, { rounds, part: scale.rounds === 1 ? QUICK : 1 }) })
    await ground.watch.look()
  }
  await over?.()
  return all.map((request) => {
    const figures = steps.map(({ figures }) => figures[request])
    return lineOf({ what, request, sizes: steps.map(({ size }) => size), figures, reason: reasons[request] })
  })
}

type Measuring = { rounds: number; part: number; requests?: Asked[]; workers?: Database[]; connections?: number }

export async function measureStep(
  ground: BenchEnvironment,
  step: Step,
  { rounds, part, requests = all, workers = [], connections }: Measuring,
): Promise<Record<Asked, Measured[]>> {
  const counter = await createCounter({ db: ground.db, pids: () => step.pids, workers })
  const doors = step.ports.map((port) => ({ port, requests: step.requests() }))
  const callers = requests.map((request) => ({ request, ...callersOf(request, doors, part, connections) }))
  const figures = Object.fromEntries(all.map((request) => [request, [] as Measured[]])) as Record<Asked, Measured[]>
  try {
    for (const { ask } of callers) await ask(WARMING)
    // as autovacuum does within a minute or two: it changes the plans
    await ground.db.run`vacuum analyze`
    await ground.db.run`checkpoint`
    for (const { request, ask } of callers) {
      for (let round = 0; round < rounds; round++) {
        let outcomes: Outcome[] = []
        const cost = await counter.count(async () => {
          outcomes = await ask(1)
          return outcomes.reduce((sum, { sent }) => sum + sent, 0)
        })
        figures[request].push({ cost, outcome: outcomes[0]! })
      }
    }
  } finally {
    for (const { end } of callers) end()
  }
  return figures
}

/** Callers of one request, at all doors at once. */
function callersOf(
  request: Asked,
  doors: { port: number; requests: Requests }[],
  part: number,
  connections = requestPlans[request].connections,
) {
  const { status, times } = requestPlans[request]
  const loads = doors.map(() => startLoad(status))
  const ask = (ofThem: number) =>
    Promise.all(
      doors.map(({ port, requests }, door) =>
        loads[door]!.ask({
          port,
          connections,
          request: requests[request],
          ms: PATIENCE_MS,
          most: Math.ceil((times * part * ofThem) / doors.length),
        }),
      ),
    )
  const end = () => {
    for (const load of loads) load.end()
  }
  return { ask, end }
}

type Grown = { what: string; request: Asked; sizes: number[]; figures: Measured[][]; reason: string | undefined }

function lineOf({ what, request, sizes, figures, reason }: Grown): Line {
  const totals = figures.map((rounds) => rounds.map(({ cost }) => cost.node + cost.postgres))
  const [first, last] = [totals[0]!, totals.at(-1)!]
  const { factor, shape } = toGrowth([sizes[0]!, sizes.at(-1)!], [toMedian(first), toMedian(last)])
  const throughout = (figure: (one: Measured) => number, show: (value: number) => string) =>
    figures.map((rounds) => show(medianBy(rounds, figure))).join(', ')
  const why =
    shape === 'flat' ? [] : [...(reason ? [reason] : []), heaviest(figures[0]![0]!.cost, figures.at(-1)![0]!.cost)]
  return {
    what: `${request}, ${count(sizes[0]!)} to ${count(sizes.at(-1)!)} ${what}`,
    ours: µs(toMedian(last)),
    floor: µs(toMedian(first)),
    ...toRatio(first, last),
    goal: 1 / FLAT,
    also: [
      `${shape}: ×${factor.toFixed(2)} over ${sizes.map(count).join(', ')}`,
      `Node ${throughout(({ cost }) => cost.node, µs)}`,
      `PostgreSQL ${throughout(({ cost }) => cost.postgres, µs)}`,
      `statements ${throughout(({ cost }) => cost.statements, formatShort)}, at work ${throughout(({ cost }) => cost.atWork, formatMs)}`,
      `pages ${throughout(({ cost }) => cost.pages, formatShort)}`,
      `answered in ${throughout(({ outcome }) => outcome.median, formatMs)}`,
      ...why,
    ].join('; '),
  }
}

/** Returns the statement whose cost grew most, if PostgreSQL's work grew at all. */
function heaviest(before: Cost, after: Cost): string {
  const grown = [...after.by].map(([id, share]) => {
    const then = before.by.get(id) ?? { calls: 0, pages: 0, atWork: 0 }
    return { ...share, then, more: share.atWork - then.atWork }
  })
  const most = grown.toSorted((one, other) => other.more - one.more)[0]
  if (!most || most.more <= 0) return 'no statement takes longer'
  const text = most.text.replace(/\s+/g, ' ').replaceAll('|', '¦').trim().slice(0, 160)
  return `most by “${text}”: ${formatMs(most.then.atWork)} to ${formatMs(most.atWork)}, pages ${formatShort(most.then.pages)} to ${formatShort(most.pages)}, ${formatShort(most.then.calls)} to ${formatShort(most.calls)} times`
}

export const count = (size: number) => size.toLocaleString('en-US')
export const µs = (value: number) => `${count(Math.round(value))} µs`
export const formatShort = (value: number) => (value < 10 ? value.toFixed(2) : count(Math.round(value)))

// axes

function axesOf(): Axis[] {
  return [layers, processes(), accounts(), rows, leadsOfAPartner, partners]
}

const layers: Axis = {
  what: 'layers',
  sizes: () => [1, 3, 10],
  async grow(ground, size) {
    const account = await makeAccount(
      ground,
      Array.from({ length: size }, (_, layer) => RATES[layer] ?? 1),
    )
    await makeLeads(ground, account)
    return buildStep(ground, size, [await findTarget(ground, account)])
  },
  reasons: {
    'pushed sale': 'ten entries with their figures and events are written instead of one',
    'page of sales': 'each sale shows ten entries instead of one',
  },
}

function processes(): Axis {
  let target: Target | undefined
  const others: Awaited<ReturnType<BenchEnvironment['startAnother']>>[] = []
  return {
    what: 'processes',
    sizes: () => [1, 2, 4],
    async grow(ground, size) {
      if (!target) {
        const account = await makeAccount(ground)
        await makeLeads(ground, account)
        target = await findTarget(ground, account)
      }
      while (others.length + 1 < size) others.push(await ground.startAnother())
      const { ports, pids, requests } = buildStep(ground, size, [target])
      return {
        size,
        requests,
        ports: [...ports, ...others.map(({ port }) => port)],
        pids: [...pids, ...others.map(({ pid }) => pid)],
      }
    },
    async over() {
      for (const { end } of others) await end()
    },
    reasons: {
      redirect: 'processes take turns on the figures of the one account',
      'pushed sale': 'processes take turns on the figures of the one account',
    },
  }
}

function accounts(): Axis {
  let template: Awaited<ReturnType<typeof aTemplate>> | undefined
  return {
    what: 'accounts',
    sizes: () => [10, 100, 1000],
    async grow(ground, size) {
      template ??= await aTemplate(ground)
      return buildStep(ground, size, toTargets(await template.grow(size)))
    },
  }
}

export const toTargets = (accounts: OneOfMany[]): Target[] =>
  accounts.map(({ id, codes, leads, ...keys }) => ({
    id,
    codes,
    ...keys,
    leads: leads.map(({ externalId }) => externalId),
    searches: leads.map(({ email }) => email),
  }))

const rows: Axis = {
  what: 'leads and as many sales',
  sizes: ({ leads }) => [leads / 100, leads / 10, leads],
  grow: async (ground, leads) => {
    const account = await makeAccount(ground)
    await fillAccount(ground.db, account.id, { leads, sales: leads, partners: 100, payouts: leads / 10 })
    return buildStep(ground, leads, [await findTarget(ground, account)])
  },
  reasons: {
    dashboard: 'a hundred links have figures on all days instead of a few, and payouts wait whose entries are added up',
  },
}

const leadsOfAPartner: Axis = {
  what: 'leads of one partner',
  sizes: ({ leads }) => [leads / 100, leads / 10, leads],
  async grow(ground, leads) {
    const account = await makeAccount(ground)
    const size = { leads: Math.ceil(leads * ALL_OF_FAVOURITE), sales: leads, partners: 50, payouts: 50 }
    await fillAccount(ground.db, account.id, { ...size, steepness: 100 })
    const { partnerId } = await ground.db.one<{ partnerId: string }>`
      select partner_id from leads where account_id = ${account.id} and partner_id is not null
      group by partner_id order by count(*) desc limit 1`
    return buildStep(ground, leads, [await findTarget(ground, account, partnerId)])
  },
  reasons: { dashboard: 'what they earned above the first layer in thirty days is added up from their entries' },
}
/** Leads per lead of the partner who brings nearly all. */
const ALL_OF_FAVOURITE = 1.2

const partners: Axis = {
  what: 'partners of one account',
  sizes: ({ leads }) => [leads / 2000, leads / 60, leads / 2].map((size) => Math.max(50, Math.round(size))),
  async grow(ground, size) {
    const account = await makeAccount(ground)
    await fillAccount(ground.db, account.id, { leads: 1000, sales: 1000, partners: size, payouts: 100 })
    return buildStep(ground, size, [await findTarget(ground, account)])
  },
  reasons: {
    redirect:
      'each visit is the first of another partner, whose figures get rows of their own on pages that are written whole',
  },
}

function clicks(): Axis {
  let kept: { ground: BenchEnvironment; account: BenchAccount; target: Target } | undefined
  return {
    what: 'clicks kept',
    sizes: ({ clicks }) => [clicks / 100, clicks / 10, clicks],
    async grow(ground, size) {
      if (!kept) {
        const account = await makeAccount(ground)
        await makeLeads(ground, account)
        kept = { ground, account, target: await findTarget(ground, account) }
      }
      await fillClicks(ground.db, kept.account.id, size)
      return buildStep(ground, size, [kept.target])
    },
    // no figure counts these clicks, which the check of the ledger would report
    over: async () => kept && dropKeptClicks(kept.ground.db),
  }
}

/** The object of requests: an account, or a partner of it. */
type Target = Pick<BenchAccount, 'id' | 'codes'> & {
  key: string
  blueprintKey: string
  partnerId?: string
  /** Their external ids. */
  leads: string[]
  searches: string[]
}

export async function findTarget(ground: BenchEnvironment, account: BenchAccount, partnerId?: string): Promise<Target> {
  const { id } = account
  const of = partnerId ?? null
  const codes = await ground.db.many<{ code: string }>`
    select referral_code as code from partners
    where account_id = ${id} and state = 'active' and (${of}::uuid is null or id = ${of}::uuid)
    order by md5(id::text) limit ${MOST_SAMPLES}`
  const leads = await ground.db.many<{ externalId: string; email: string }>`
    select external_id, email from leads
    where account_id = ${id} and status = 'won' and (${of}::uuid is null or partner_id = ${of}::uuid)
    order by md5(id::text) limit ${MOST_SAMPLES}`
  return {
    id,
    key: await aReadingKey(ground, account),
    blueprintKey: await createBlueprint(ground, account),
    ...(partnerId && { partnerId }),
    codes: codes.map(({ code }) => code),
    leads: leads.map(({ externalId }) => externalId),
    searches: leads.map(({ email }) => email),
  }
}

let batches = 0

/** A step served by one process. */
export function buildStep(ground: BenchEnvironment, size: number, targets: Target[]): Step {
  const day = new Date().toISOString().slice(0, 10)
  const range = `${addDays(day, -29)}..${day}`
  const each = Math.ceil(MOST_SAMPLES / targets.length)
  const ofAll = (requests: (target: Target) => string[]) =>
    shuffled(targets.flatMap((one) => requests(one).slice(0, each)))
  const read = (paths: (target: Target) => string[]) =>
    ofAll((target) => paths(target).map((path) => buildGetRequest(path, target.key)))
  return {
    size,
    ports: [ground.port],
    pids: [ground.product.child.pid!],
    requests: () => {
      const batch = batches++
      return {
        redirect: ofAll(({ blueprintKey, codes }) => codes.map((code) => buildVisit(blueprintKey, code))),
        'pushed sale': ofAll(({ key, leads }) =>
          leads.map((leadExternalId) =>
            buildRequest(key, day, { externalId: `sale-${batch}-{number}`, leadExternalId }),
          ),
        ),
        'page of leads': read(({ id, partnerId }) => [
          partnerId ? `partners/${partnerId}/leads` : `accounts/${id}/leads`,
        ]),
        'page of sales': read(({ id, partnerId }) => [
          `accounts/${id}/sales${partnerId ? `?partnerId=${partnerId}` : ''}`,
        ]),
        dashboard: read(({ id, partnerId }) => [
          partnerId ? `partners/${partnerId}/historical-stats/${range}` : `accounts/${id}/dashboard/${range}`,
        ]),
        search: read(({ id, partnerId, searches }) =>
          searches.map(
            (text) => `${partnerId ? `partners/${partnerId}` : `accounts/${id}`}/leads?search=${text.slice(1)}`,
          ),
        ),
      }
    },
  }
}

/** A fixed shuffle: related items should not come one after the other. */
const shuffled = <T>(of: T[]): T[] =>
  of
    .map((one, at) => ({ one, by: (at * 7919) % 1009 }))
    .toSorted((a, b) => a.by - b.by)
    .map(({ one }) => one)
