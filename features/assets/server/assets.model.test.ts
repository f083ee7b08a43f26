import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, aPartner, expectOk, startApp, waitUntil } from '#test/support/app.ts'
import { freeSteps, playHistory } from '#test/support/histories.ts'
import { aBlueprint } from '#test/support/links.ts'
import { listSeeds, type Random } from '#test/support/model-test.ts'
import { aPicture, base64 } from '#test/support/pictures.ts'

// Random lives of an account's material: pictures, texts and the logo come, change and go, links and groups too, and
// two processes answer. A plain list has what each address shows and what the partner may copy.

const secretKey = Buffer.alloc(32, 7)

type Thing = { id: string; text: string | null; path: string | null; bytes: Buffer | null; groupId: string | null }
type World = Awaited<ReturnType<typeof begin>>

const someBytes = ({ below }: Random) => aPicture([below(256), below(256), below(256), 255], 1 + below(9), 1 + below(9))
const pathOf = (url: string) => new URL(url).pathname

async function begin() {
  const app = await startApp({ config: { secretKey } })
  const twin = await startApp({ db: app.services.db, config: { secretKey } })
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { referralCode: 'pia' }, { signIn: true })
  let calls = 0
  const call = async (method: string, path: string, body?: unknown, token = account.token) =>
    expectOk(await (calls++ % 2 === 0 ? app : twin).api(method, path, { token, body })).body
  const { id: gold } = await call('POST', `/accounts/${account.id}/groups`, { name: 'Gold' })
  const template = await aBlueprint(app, account)
  return {
    ...{ app, twin, account, partner, template, call, groups: [null, gold, account.id] as const },
    ...{ things: [] as Thing[], gone: [] as string[], isEnabled: true, groupId: account.id },
    logo: null as { path: string; bytes: Buffer } | null,
  }
}

const steps = freeSteps<World>({
  async addImage({ call, account, things, groups }, random) {
    const [bytes, groupId] = [someBytes(random), random.pick(groups)]
    const body = { kind: 'image', name: 'x', image: base64(bytes), groupId }
    const { id, imageUrl } = await call('POST', `/accounts/${account.id}/assets`, body)
    things.push({ id, text: null, path: pathOf(imageUrl), bytes, groupId })
  },
  async addText({ call, account, things, groups }, { below, pick }) {
    const [text, groupId] = [`${below(1000)} {code}`, pick(groups)]
    const body = { kind: 'text', name: 'x', body: text, groupId }
    const { id } = await call('POST', `/accounts/${account.id}/assets`, body)
    things.push({ id, text, path: null, bytes: null, groupId })
  },
  async change({ call, things }, random) {
    if (things.length === 0) return
    const thing = random.pick(things)
    if (thing.bytes) {
      thing.bytes = someBytes(random)
      const { imageUrl } = await call('PUT', `/assets/${thing.id}`, { image: base64(thing.bytes) })
      assert.equal(pathOf(imageUrl), thing.path)
    } else {
      thing.text = `${random.below(1000)} {code}`
      await call('PUT', `/assets/${thing.id}`, { body: thing.text })
    }
  },
  async remove({ call, things, gone }, { below }) {
    if (things.length === 0) return
    const [thing] = things.splice(below(things.length), 1)
    await call('DELETE', `/assets/${thing!.id}`)
    if (thing!.path) gone.push(thing!.path)
  },
  async setLogo(world, random) {
    const bytes = random.chance(30) ? null : someBytes(random)
    const { logo, call, account } = world
    const { logoUrl } = await call('PUT', `/accounts/${account.id}/brand`, { logo: bytes && base64(bytes) })
    const path = logoUrl && pathOf(logoUrl)
    if (logo && bytes) assert.equal(path, logo.path)
    if (logo && !bytes) world.gone.push(logo.path)
    world.logo = bytes && { path, bytes }
  },
  async move(world, { pick }) {
    world.groupId = pick(world.groups.slice(1))!
    await world.call('PUT', `/partners/${world.partner.id}`, { groupId: world.groupId })
  },
  async switchLink(world) {
    world.isEnabled = !world.isEnabled
    await world.call('PUT', `/link-blueprints/${world.template.id}`, { enabled: world.isEnabled })
  },
  compare,
})

async function compare({ app, twin, call, partner, things, gone, logo, groupId, isEnabled }: World) {
  const shown = async (on: typeof app, path: string) => {
    const response = await fetch(`${on.url}${path}`)
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()).toString('hex') : response.status
  }
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

async function end(world: World) {
  await compare(world)
  assert.deepEqual(await verifyLedger(world.app.services.db), [])
}

test('material matches a plain list, in every process', async () => {
  for (const seed of listSeeds(1)) await playHistory({ begin, steps, length: 40, end }, seed)
})
