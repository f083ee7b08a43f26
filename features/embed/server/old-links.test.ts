import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anAccount, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { aStep, type Histories, playHistory } from '#test/support/histories.ts'
import { aBlueprint, BROWSER, clickInAddress, visitLink } from '#test/support/links.ts'
import { listSeeds } from '#test/support/model-test.ts'
import { configurationIn } from '#test/support/served-script.ts'
import { readArrival } from '../../../embed/address.ts'

const app = await startApp()

const SITE = 'https://shop.example.com'
const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))

/** Codes as other programs have them, among them some that differ only by case. */
const pool = ['jane', 'JANE', 'Jane_D', 'j.d', '7', '42', 'Ünï', 'kim@mail.example', "o'neil (2)", 'ab', 'x'.repeat(60)]
const names = ['ref', 'via', 'fpr', 'a_aid', 'Ref']
const ofHere = (code: string) => /^[a-z0-9-]{3,32}$/i.test(code)

type Person = { id: string; code: string; earlier: string[]; isActive: boolean }
type Link = { id: string; key: string; parameter: string; path: string }

/** A random history of changes and visits; each visit is compared with a plain account of who has which code. */
async function begin() {
  const account = await anAccount(app)
  const call = (method: string, path: string, body: unknown) => app.api(method, path, { token: account.token, body })
  expectOk(await call('PUT', `/accounts/${account.id}/embed-code`, { config }))
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  const people: Person[] = []
  for (let count = 0; count < 3; count++) {
    const { id, referralCode } = await aPartner(app, account, { referralCode: undefined })
    people.push({ id, code: referralCode, earlier: [], isActive: true })
  }
  const world = { account, call, publicId, people, links: [] as Link[], old: [] as string[] }
  await addLink(world, ['ref', '/'])
  return world
}
type World = Awaited<ReturnType<typeof begin>>

async function addLink({ account, links }: Pick<World, 'account' | 'links'>, [parameter, path]: [string, string]) {
  if (links.length === 4) return
  const { id, key } = await aBlueprint(app, account, { destinationUrl: SITE + path, parameterName: parameter })
  links.push({ id, key, parameter, path })
}

const holderOf = ({ people }: World, code: string) =>
  people.find((one) => one.code === code || one.earlier.includes(code))

const drawnCode = fc.constantFrom(...pool)
/** The code of a visitor: a partner’s or any other, in small or large letters. */
const drawnVisit = fc.record({
  held: fc.option(fc.nat(), { nil: undefined, freq: 4 }),
  any: drawnCode,
  isUpper: fc.boolean(),
})
type Visit = typeof drawnVisit extends fc.Arbitrary<infer Drawn> ? Drawn : never
function codeOf({ people }: World, { held, any, isUpper }: Visit) {
  const codes = people.flatMap(({ code, earlier }) => [code, ...earlier])
  const code = held === undefined ? any : codes[held % codes.length]!
  return isUpper ? code.toUpperCase() : code
}

const valuesOf = (query: URLSearchParams, name: string) =>
  [...query].flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []))
/** A code of another program may be followed by what closes a sentence. */
const anyForm = (value: string) => (value.endsWith(')') ? [value, value.slice(0, -1)] : [value])

/** The codes that the page's script should look for, in order. */
function expectedCodes({ links, old }: World, query: URLSearchParams) {
  const lower = (some: string[]) => [...new Set(some.map((name) => name.toLowerCase()))]
  const own = lower(links.map(({ parameter }) => parameter).sort())
  const others = lower(old)
  const given = [...own.filter((one) => !others.includes(one)), ...own, ...others].flatMap((name) =>
    valuesOf(query, name).flatMap((value) => (others.includes(name) ? anyForm(value) : ofHere(value) ? [value] : [])),
  )
  return lower(given)
}

function expectedLink({ links, old }: World, query: URLSearchParams, path: string, code: string) {
  const carries = (name: string) => valuesOf(query, name).some((value) => anyForm(value.toLowerCase()).includes(code))
  const own = links.filter(({ parameter }) => carries(parameter))
  const fitting = own.length > 0 ? own : old.some(carries) ? links : []
  const depth = (link: Link) => {
    const start = link.path.replace(/\/$/, '')
    return path === start || path.startsWith(`${start}/`) ? start.length + 1 : 0
  }
  return fitting.toSorted((a, b) => depth(b) - depth(a))[0]
}

async function visitPage(world: World, query: URLSearchParams, path: string) {
  const page = `${SITE}${path}?${query}`
  const script = await (await fetch(`${app.url}/embed/${world.publicId}.js`)).text()
  const { names: read, plain } = configurationIn(script)
  const arrival = readArrival(page, { names: read, plain })
  const codes = expectedCodes(world, query)
  assert.deepEqual(arrival?.codes ?? [], codes)
  if (!arrival) return
  const reply = await app.api('POST', `/embed/${world.publicId}/clicks`, {
    body: { referralCode: arrival.codes[0], pageUrl: page },
    headers: { origin: SITE, 'user-agent': BROWSER },
  })
  const code = codes.find((one) => holderOf(world, one)?.isActive)
  const partner = code ? holderOf(world, code) : undefined
  const click = await app.services.db.maybe<{ partnerId: string; blueprintId: string | null }>`
    select partner_id, blueprint_id from clicks
    where account_id = ${world.account.id} and id = ${expectOk(reply).body.clickId}`
  assert.equal(click?.partnerId, partner?.id)
  if (click) assert.equal(click.blueprintId, expectedLink(world, query, path, code!)?.id ?? null)
}

const drawnPerson = fc.nat({ max: 2 })
const changeCodes = aStep(
  fc.tuple(
    drawnPerson,
    fc.array(drawnCode, { maxLength: 3 }),
    fc.option(fc.constantFrom(...pool.filter(ofHere).map((code) => code.toLowerCase())), { nil: undefined }),
  ),
  async (world: World, [of, given, code]) => {
    const person = world.people[of]!
    const wanted = [...new Set(given.map((one) => one.toLowerCase()))]
    const isTaken = [...wanted, code ?? person.code].some((one) => (holderOf(world, one) ?? person) !== person)
    const reply = await world.call('PUT', `/partners/${person.id}`, { earlierCodes: given, referralCode: code })
    if (isTaken) return assert.deepEqual([reply.status, reply.body.error.reason], [409, 'referral_code_taken'])
    const before = person.code
    person.code = code ?? before
    person.earlier = [...new Set([...wanted, before])].filter((one) => one !== person.code)
    assert.deepEqual(expectOk(reply).body.earlierCodes.toSorted(), person.earlier.toSorted())
  },
)
const visit = aStep(
  fc.tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...names), drawnVisit), {
      minLength: 1,
      maxLength: 2,
      selector: ([name]) => name,
    }),
    fc.constantFrom('/', '/pricing', '/pricing/team/new', '/blog'),
  ),
  (world: World, [given, path]) =>
    visitPage(world, new URLSearchParams(given.map(([name, one]) => [name, codeOf(world, one)])), path),
)
const follow = aStep(fc.tuple(fc.nat({ max: 3 }), drawnVisit), async (world: World, [of, one]) => {
  const code = codeOf(world, one)
  const link = world.links[of % world.links.length]!
  const visited = await visitLink(app, link.key, encodeURIComponent(code))
  const holder = holderOf(world, code.toLowerCase())
  const address = new URL(visited.location!)
  assert.equal(address.searchParams.get(link.parameter), holder?.isActive ? holder.code : null)
  assert.equal(clickInAddress(visited) !== null, Boolean(holder?.isActive))
})

const histories: Histories<World> = {
  begin,
  length: 50,
  steps: {
    changeCodes,
    pause: aStep(drawnPerson, async ({ people, call }: World, of) => {
      const person = people[of]!
      person.isActive = !person.isActive
      expectOk(await call('PUT', `/partners/${person.id}`, { state: person.isActive ? 'active' : 'suspended' }))
    }),
    setOld: aStep(fc.subarray(names), async (world: World, old) => {
      world.old = old
      expectOk(await world.call('PATCH', `/accounts/${world.account.id}`, { oldLinkParameters: old }))
    }),
    addLink: aStep(fc.tuple(fc.constantFrom(...names), fc.constantFrom('/', '/pricing', '/pricing/team')), addLink),
    visit,
    visitAgain: visit,
    follow,
    followAgain: follow,
  },
}

for (const seed of listSeeds(2))
  test(`a visit credits the partner who has its code, by the parameters of the moment (${seed})`, () =>
    playHistory(histories, seed))
