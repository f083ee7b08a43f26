import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Endpoint } from '#contract/endpoint.ts'
import { findExample } from '#contract/examples/index.ts'
import { endpoints } from '#contract/index.ts'
import type { Replica } from '../server/platform/database/replica/replica.ts'
import { waitUntil } from './support/app.ts'
import { randomFrom } from './support/model-test.ts'
import { buildStory } from './support/operations.ts'
import { KEY, openReplicated, startReplicated } from './support/replicated.ts'
import { aSellingAccount, type Running, type SellingAccount, startProduct } from './support/running.ts'
import { scratchFolder } from './support/scratch.ts'

// Calls marked `fromReplica` in the contract, by a real standby: each of them once, and by two processes in random
// order while the standby is paused or killed. `REPLICA_SEED` repeats one life.

const replicated = await startReplicated()
const { primary, standby } = replicated

let replica: Replica
const story = await buildStory(async (clock) => {
  const opened = await openReplicated(replicated, clock)
  replica = opened.replica
  return opened
})

type Listed = Endpoint & { list?: Endpoint; query?: { shape?: Record<string, unknown> } }
const isList = ({ method, query }: Listed) => method === 'GET' && query?.shape !== undefined && 'cursor' in query.shape

/** Lists read from the primary, like everything else about their things. */
const ofThePrimary: Record<string, string> = {
  listMySessions: 'who is signed in is known by the primary alone',
  listMyTokens: 'the same',
  listApiKeys: 'the same, of programs',
  listMembers: 'the same, of the account',
  listPartnerMembers: 'the same, of a partner',
  listReport: 'it adds up days that have changed',
  listRewards: 'an app gives what it lists: one that was confirmed a moment ago is listed no more',
  listParked: 'it is looked at where something is ill',
}

test('every list is read from a replica unless it has a reason not to be, and no write is', () => {
  const unmarked = (endpoints as readonly Listed[]).filter((one) => isList(one) && !one.fromReplica)
  assert.deepEqual(unmarked.map(({ name }) => name).sort(), Object.keys(ofThePrimary).sort())
  const marked = endpoints.filter(({ fromReplica }) => fromReplica)
  assert.ok(marked.length > 40, `${marked.length} calls`)
  for (const { name, method, produces } of marked) assert.deepEqual([name, method, produces], [name, 'GET', undefined])
})

describe('two processes with a standby', () => {
  let processes: Running[]
  let account: SellingAccount

  before(async () => {
    const folder = await scratchFolder()
    const variables = {
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: standby.url,
      SECRET_KEY: KEY.toString('base64'),
      PROCESS_ROLE: 'web',
    }
    processes = await Promise.all([startProduct(folder, variables), startProduct(folder, variables)])
    account = await aSellingAccount(processes[0]!)
  })
  after(() => Promise.all(processes.map(({ product }) => product.end('SIGTERM'))))

  const metric = async ({ api }: Running, name: string) => {
    const page = (await api('GET', '/metrics')).body as string
    return Number(
      page
        .split('\n')
        .find((line) => line.startsWith(`tributary_${name}`))
        ?.split(' ')[1],
    )
  }
  const follows = (one: Running) => waitUntil(async () => (await metric(one, 'replica_up')) === 1)

  /** Creates and deletes leads, and compares what is read of them with the earlier answers. */
  async function leadsOf({ id, token }: SellingAccount) {
    const of = `/accounts/${id}`
    const [there, gone] = [new Set<string>(), new Set<string>()]
    const count = async ({ api }: Running) => (await api('GET', `${of}/stats`, { token })).body.numberOfLeads as number
    const others = await count(processes[0]!)
    const compare = async (read: () => Promise<(id: string) => boolean>) => {
      const [before, lost] = [[...there], [...gone]]
      const shows = await read()
      for (const id of before) assert.ok(shows(id) || !there.has(id), `${id} is missing`)
      for (const id of lost) assert.ok(!shows(id), `${id} is still there`)
    }
    return {
      there,
      async add({ api }: Running) {
        const body = { email: `${crypto.randomUUID()}@mail.example` }
        const answer = await api('POST', `${of}/leads`, { token, body })
        assert.equal(answer.status, 201)
        there.add(answer.body.id)
      },
      async remove({ api }: Running, id: string) {
        there.delete(id)
        assert.equal((await api('DELETE', `/leads/${id}`, { token })).status, 204)
        gone.add(id)
      },
      list: ({ api }: Running) =>
        compare(async () => {
          const { body } = await api('GET', `${of}/leads?limit=100`, { token })
          const ids = new Set(body.items.map(({ id }: { id: string }) => id))
          return (id) => ids.has(id)
        }),
      file: ({ api }: Running) =>
        compare(async () => {
          const { body } = await api('GET', `${of}/leads/csv?columns=id`, { token })
          return (id) => body.includes(id)
        }),
      async figures(one: Running) {
        const before = there.size
        const leads = (await count(one)) - others
        assert.ok(leads >= before && leads <= before + 2, `${leads} leads, ${before} were there`)
      },
    }
  }

  /** Changes the standby's state, if its present state allows it; `settle` leaves it running. */
  function standbyLife() {
    let condition: 'running' | 'paused' | 'dead' = 'running'
    const move = (from: typeof condition, act: () => Promise<unknown>, to: typeof condition) => async () => {
      if (condition !== from) return
      await act()
      condition = to
    }
    const pause = move('running', standby.pause, 'paused')
    const resume = move('paused', standby.resume, 'running')
    // a restarted standby is not paused
    const start = move('dead', standby.start, 'running')
    const kill = async () => {
      if (condition !== 'dead') await standby.kill()
      condition = 'dead'
    }
    return { pause, resume, kill, start, settle: () => resume().then(start) }
  }

  async function live(seed: number) {
    const random = randomFrom(seed)
    const course: string[] = []
    const leads = await leadsOf(account)
    const { pause, resume, kill, start, settle } = standbyLife()
    const any = () => random.pick(processes)
    const { there, add, remove, list, file, figures } = leads
    const acts: [name: string, weight: number, act: () => Promise<unknown>][] = [
      ['add', 30, () => add(any())],
      ['remove', 6, async () => there.size > 0 && remove(any(), random.pick([...there]))],
      ['list', 30, () => list(any())],
      ['file', 6, () => file(any())],
      ['figures', 14, () => figures(any())],
      [
        'at once',
        10,
        () => Promise.all([add(any()), list(any()), add(any()), figures(any()), list(any()), file(any())]),
      ],
      ['look', 14, () => Promise.all(processes.map((one) => metric(one, 'replica_up')))],
      ['pause', 5, pause],
      ['resume', 8, resume],
      ['kill', 2, kill],
      ['start', 5, start],
    ]
    const all = acts.flatMap(([name, weight, act]) => Array.from({ length: weight }, () => ({ name, act })))
    try {
      for (let step = 0; step < 60; step++) {
        const { name, act } = random.pick(all)
        course.push(name)
        await act()
      }
    } catch (error) {
      throw new Error(`REPLICA_SEED=${seed}: ${course.join(', ')}: ${(error as Error).message}`, { cause: error })
    } finally {
      await settle()
    }
    for (const id of there) await remove(any(), id)
  }

  const given = process.env.REPLICA_SEED
  for (const seed of given ? [Number(given)] : [1, 2])
    test(`every acknowledged write is visible to reads of either process (seed ${seed})`, () => live(seed))

  test('both have read from the standby, and from the primary while it lagged', async () => {
    for (const one of processes) {
      await follows(one)
      assert.ok((await metric(one, 'replica_reads_total{from="replica"}')) > 5)
      assert.ok((await metric(one, 'replica_reads_total{from="primary"}')) > 5)
      assert.equal(await metric(one, 'replica_lag_seconds'), 0)
    }
  })
})

/** The path of the contract's own example, with ids of the story's things. */
function pathOf(endpoint: Endpoint) {
  const { params, query } = findExample(endpoint)!
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name]!)
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const text = parameters.size > 0 ? `${path}?${parameters}` : path
  return Object.entries(story.instead).reduce((text, [one, other]) => text.replaceAll(one, other), text)
}

test('administrators see the state of the standby', async () => {
  await waitUntil(async () => (await replica.look()).status === 'follows')
  const { body } = await story.app.api('GET', '/admin/system', { token: story.tokens.admin })
  const { is, lagSeconds } = body.database.replica
  assert.deepEqual([is, lagSeconds], ['follows', 0])
})

test('each marked call is served by the standby, where nothing can be written', async () => {
  const { admin, owner, partner } = story.tokens
  for (const endpoint of endpoints.filter((one: Listed) => one.fromReplica || one.list?.fromReplica)) {
    const { name, allow } = endpoint
    const token = allow.includes('owner') ? owner : allow.includes('partner') ? partner : admin
    // on a busy machine the standby may be late, but not every time
    await waitUntil(async () => {
      await replica.look()
      const before = replica.reads.get('replica')!
      const { status, body } = await story.app.api('GET', pathOf(endpoint), { token })
      assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
      return replica.reads.get('replica')! > before
    }, 10_000).catch((error) => assert.fail(`${name} is not read from the standby: ${error.message}`))
  }
})
