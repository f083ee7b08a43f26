import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { aBlueprint, BROWSER, clickInAddress, visitLink } from '../../../test/support/links.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { configurationIn } from '../../../test/support/served-script.ts'

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

/** A random course of changes and visits; each visit is compared with a plain account of who has which code. */
async function live(seed: number) {
  const random = randomFrom(seed)
  const account = await anAccount(app)
  const call = (method: string, path: string, body: unknown) => app.api(method, path, { token: account.token, body })
  expectOk(await call('PUT', `/accounts/${account.id}/embed-code`, { config }))
  const { publicId } = expectOk(await app.api('GET', `/accounts/${account.id}`, { token: account.token })).body
  const people: Person[] = []
  const links: Link[] = []
  let old: string[] = []
  const steps: string[] = []

  const holderOf = (code: string) => people.find((one) => one.code === code || one.earlier.includes(code))
  const anyCode = () => random.pick(pool)
  const heldCode = () => random.pick(people.flatMap(({ code, earlier }) => [code, ...earlier]))
  const visitorsCode = () => otherCase(random.chance(80) ? heldCode() : anyCode())
  const otherCase = (code: string) => (random.chance(50) ? code.toUpperCase() : code)

  async function addPartner() {
    const { id, referralCode } = await aPartner(app, account, { referralCode: undefined })
    people.push({ id, code: referralCode, earlier: [], isActive: true })
  }

  async function addLink() {
    const parameter = random.pick(names)
    const path = random.pick(['/', '/pricing', '/pricing/team'])
    const { id, key } = await aBlueprint(app, account, { destinationUrl: SITE + path, parameterName: parameter })
    links.push({ id, key, parameter, path })
  }

  async function changeCodes() {
    const person = random.pick(people)
    const given = Array.from({ length: random.below(4) }, anyCode)
    const code = random.chance(40) ? random.pick(pool.filter(ofHere)).toLowerCase() : undefined
    steps.push(`${person.code} gets ${JSON.stringify({ given, code })}`)
    const wanted = [...new Set(given.map((one) => one.toLowerCase()))]
    const isTaken = [...wanted, code ?? person.code].some((one) => (holderOf(one) ?? person) !== person)
    const reply = await call('PUT', `/partners/${person.id}`, { earlierCodes: given, referralCode: code })
    if (isTaken) return assert.deepEqual([reply.status, reply.body.error.reason], [409, 'referral_code_taken'])
    const before = person.code
    person.code = code ?? before
    person.earlier = [...new Set([...wanted, before])].filter((one) => one !== person.code)
    assert.deepEqual(expectOk(reply).body.earlierCodes.toSorted(), person.earlier.toSorted())
  }

  async function pause() {
    const person = random.pick(people)
    person.isActive = !person.isActive
    steps.push(`${person.code} is ${person.isActive ? 'active' : 'suspended'}`)
    expectOk(await call('PUT', `/partners/${person.id}`, { state: person.isActive ? 'active' : 'suspended' }))
  }

  async function setOld() {
    old = names.filter(() => random.chance(40))
    steps.push(`old: ${old}`)
    expectOk(await call('PATCH', `/accounts/${account.id}`, { oldLinkParameters: old }))
  }

  /** The codes that the page's script should look for, in order. */
  function expectedCodes(query: URLSearchParams) {
    const lower = (some: string[]) => [...new Set(some.map((name) => name.toLowerCase()))]
    const own = lower(links.length > 0 ? links.map(({ parameter }) => parameter).sort() : ['ref'])
    const others = lower(old)
    const given = [...own.filter((one) => !others.includes(one)), ...own, ...others].flatMap((name) =>
      valuesOf(query, name).flatMap((value) => (others.includes(name) ? anyForm(value) : ofHere(value) ? [value] : [])),
    )
    return lower(given)
  }

  const valuesOf = (query: URLSearchParams, name: string) =>
    [...query].flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []))
  /** A code of another program may be followed by what closes a sentence. */
  const anyForm = (value: string) => (value.endsWith(')') ? [value, value.slice(0, -1)] : [value])

  function expectedLink(query: URLSearchParams, path: string, code: string) {
    const carries = (name: string) => valuesOf(query, name).some((value) => anyForm(value.toLowerCase()).includes(code))
    const own = links.filter(({ parameter }) => carries(parameter))
    const fitting = own.length > 0 ? own : old.some(carries) ? links : []
    const depth = (link: Link) => {
      const start = link.path.replace(/\/$/, '')
      return path === start || path.startsWith(`${start}/`) ? start.length + 1 : 0
    }
    return fitting.toSorted((a, b) => depth(b) - depth(a))[0]
  }

  async function land() {
    const query = new URLSearchParams()
    for (const name of random.shuffled(names).slice(0, random.between(1, 2))) query.set(name, visitorsCode())
    const path = random.pick(['/', '/pricing', '/pricing/team/new', '/blog'])
    const page = `${SITE}${path}?${query}`
    steps.push(`lands at ${page}`)
    const script = await (await fetch(`${app.url}/embed/${publicId}.js`)).text()
    const { names: read, plain } = configurationIn(script)
    const { readArrival: arrivalOf } = await import('../../../embed/address.ts')
    const arrival = arrivalOf(page, { names: read, plain })
    const codes = expectedCodes(query)
    assert.deepEqual(arrival?.codes ?? [], codes)
    if (!arrival) return
    const reply = await app.api('POST', `/embed/${publicId}/clicks`, {
      body: { referralCode: arrival.codes[0], pageUrl: page },
      headers: { origin: SITE, 'user-agent': BROWSER },
    })
    const code = codes.find((one) => holderOf(one)?.isActive)
    const partner = code ? holderOf(code) : undefined
    const click = await app.services.db.maybe<{ partnerId: string; blueprintId: string | null }>`
      select partner_id, blueprint_id from clicks where account_id = ${account.id} and id = ${expectOk(reply).body.clickId}`
    assert.equal(click?.partnerId, partner?.id)
    if (click) assert.equal(click.blueprintId, expectedLink(query, path, code!)?.id ?? null)
  }

  async function follow() {
    if (links.length === 0) return
    const code = visitorsCode()
    const link = random.pick(links)
    steps.push(`follows ${link.key}/${code}`)
    const visited = await visitLink(app, link.key, encodeURIComponent(code))
    const holder = holderOf(code.toLowerCase())
    const address = new URL(visited.location!)
    assert.equal(address.searchParams.get(link.parameter), holder?.isActive ? holder.code : null)
    assert.equal(clickInAddress(visited) !== null, Boolean(holder?.isActive))
  }

  try {
    await addLink()
    for (let count = 0; count < 3; count++) await addPartner()
    for (let step = 0; step < 50; step++) {
      const chosen = random.below(20)
      if (chosen < 4) await changeCodes()
      else if (chosen < 5) await pause()
      else if (chosen < 7) await setOld()
      else if (chosen < 8 && links.length < 4) await addLink()
      else if (chosen < 15) await land()
      else await follow()
    }
  } catch (error) {
    throw new Error(`seed ${seed}\n${steps.join('\n')}`, { cause: error })
  }
}

for (const seed of listSeeds(2))
  test(`a visit credits the partner who has its code, by the parameters of the moment (${seed})`, () => live(seed))
