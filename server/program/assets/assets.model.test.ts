import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { aBlueprint } from '../../../test/support/links.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { aPicture, base64 } from '../../../test/support/pictures.ts'
import { verifyLedger } from '../stats/verify.ts'

// Random lives of an account's material: pictures, texts and the logo come, change and go, links and groups too, and
// two processes answer. A plain list has what each address shows and what the partner may copy.

const STEPS = Number(process.env.STEPS ?? 40)
const secretKey = Buffer.alloc(32, 7)

type Thing = { id: string; text: string | null; path: string | null; bytes: Buffer | null; groupId: string | null }

async function live(seed: number) {
  const trace: string[] = []
  await course(seed, trace).catch((error: Error) => {
    throw new Error(`material, seed ${seed}: ${error.message}\n${trace.join('\n')}`)
  })
}

async function course(seed: number, trace: string[]) {
  const { pick, below, chance } = randomFrom(seed)
  const app = await startApp({ config: { secretKey } })
  const twin = await startApp({ db: app.services.db, config: { secretKey } })
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { referralCode: 'pia' }, { signIn: true })
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await pick([app, twin]).api(method, path, { token, body })).body
  const { id: gold } = await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold' })
  const template = await aBlueprint(app, account)
  let isEnabled = true
  let groupId = account.id
  let logo: { path: string; bytes: Buffer } | null = null
  const things: Thing[] = []
  const gone: string[] = []
  const someBytes = () => aPicture([below(256), below(256), below(256), 255], 1 + below(9), 1 + below(9))
  const pathOf = (url: string) => new URL(url).pathname
  const aGroup = () => pick([null, gold, account.id])

  const acts = {
    async addImage() {
      const [bytes, groupId] = [someBytes(), aGroup()]
      const body = { kind: 'image', name: 'x', image: base64(bytes), groupId }
      const { id, imageUrl } = await call('POST', `/accounts/${account.id}/assets`, body)
      things.push({ id, text: null, path: pathOf(imageUrl), bytes, groupId })
    },
    async addText() {
      const [text, groupId] = [`${below(1000)} {code}`, aGroup()]
      const { id } = await call('POST', `/accounts/${account.id}/assets`, {
        kind: 'text',
        name: 'x',
        body: text,
        groupId,
      })
      things.push({ id, text, path: null, bytes: null, groupId })
    },
    async change() {
      if (things.length === 0) return
      const thing = pick(things)
      if (thing.bytes) {
        thing.bytes = someBytes()
        const { imageUrl } = await call('PUT', `/assets/${thing.id}`, { image: base64(thing.bytes) })
        assert.equal(pathOf(imageUrl), thing.path)
      } else {
        thing.text = `${below(1000)} {code}`
        await call('PUT', `/assets/${thing.id}`, { body: thing.text })
      }
    },
    async remove() {
      if (things.length === 0) return
      const [thing] = things.splice(below(things.length), 1)
      await call('DELETE', `/assets/${thing!.id}`)
      if (thing!.path) gone.push(thing!.path)
    },
    async setLogo() {
      const bytes = chance(30) ? null : someBytes()
      const { logoUrl } = await call('PUT', `/accounts/${account.id}/brand`, { logo: bytes && base64(bytes) })
      const path = logoUrl && pathOf(logoUrl)
      if (logo && bytes) assert.equal(path, logo.path)
      if (logo && !bytes) gone.push(logo.path)
      logo = bytes && { path, bytes }
    },
    async move() {
      groupId = pick([gold, account.id])
      await call('PUT', `/partners/${partner.id}`, { groupId })
    },
    async switchLink() {
      isEnabled = !isEnabled
      await call('PUT', `/link-blueprints/${template.id}`, { enabled: isEnabled })
    },
  }

  const shown = async (on: typeof app, path: string) => {
    const response = await fetch(`${on.url}${path}`)
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()).toString('hex') : response.status
  }
  async function compare() {
    const addresses: [string, Buffer][] = things.flatMap(({ path, bytes }) => (path && bytes ? [[path, bytes]] : []))
    if (logo) addresses.push([logo.path, logo.bytes])
    for (const on of [app, twin]) {
      for (const [path, bytes] of addresses)
        await waitUntil(async () => (await shown(on, path)) === bytes.toString('hex'), 3000)
      for (const path of gone) await waitUntil(async () => (await shown(on, path)) === 404, 3000)
    }
    const { items } = await call('GET', `/partners/${partner.id}/assets`, undefined, partner.token)
    const mine = things.filter((thing) => thing.groupId === null || thing.groupId === groupId)
    assert.deepEqual(
      items.map(({ id, text, imageUrl }: { id: string; text: string | null; imageUrl: string | null }) => [
        id,
        imageUrl ? pathOf(imageUrl) : text,
      ]),
      isEnabled ? mine.map(({ id, path, text }) => [id, path ?? text!.replace('{code}', 'pia')]) : [],
    )
  }

  for (let step = 0; step < STEPS; step++) {
    const name = pick(Object.keys(acts) as (keyof typeof acts)[])
    trace.push(name)
    await acts[name]()
    if (chance(25)) await compare()
  }
  await compare()
  assert.deepEqual(await verifyLedger(app.services.db), [])
}

test('material matches a plain list, in every process', async () => {
  for (const seed of listSeeds(1)) await live(seed)
})
